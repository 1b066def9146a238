//! Embeds the migrations.

fn main() -> std::process::ExitCode {
    pharos_migrations_build::embed("migrations")
}
