//! Where the pages are mounted.

use actix_web::{HttpResponse, web};

use crate::{
    apps, channels, consent, console::Console, page, refusal::Refusal, sign_in, unsubscribe, welcome,
};

impl Console {
    /// Mounts the pages.
    pub fn configure(&self, config: &mut web::ServiceConfig) {
        let pages = web::scope("/console")
            .app_data(web::Data::new(self.clone()))
            .route("", web::get().to(begin))
            .route("/", web::get().to(begin))
            .route(page::STYLE_ROUTE, web::get().to(page::style))
            .route("/sign-in", web::get().to(sign_in::show))
            .route("/sign-in", web::post().to(sign_in::submit))
            .route("/sign-out", web::post().to(sign_in::leave))
            .route("/welcome/{token}", web::get().to(welcome::show))
            .route("/welcome/{token}", web::post().to(welcome::submit))
            .route("/consent", web::get().to(consent::show))
            .route("/consent", web::post().to(consent::submit))
            .route("/apps", web::get().to(apps::show))
            .route("/apps/revoke", web::get().to(apps::revoke::ask))
            .route("/apps/revoke", web::post().to(apps::revoke::submit))
            .route("/channels", web::get().to(channels::show))
            .route("/channels/new", web::get().to(channels::create::ask))
            .route("/channels/new", web::post().to(channels::create::submit))
            .route("/channels/{id}", web::get().to(channels::one::show))
            .route("/channels/{id}", web::post().to(channels::one::submit))
            .route("/unsubscribe/{token}", web::get().to(unsubscribe::ask))
            .route("/unsubscribe/{token}", web::post().to(unsubscribe::submit))
            .default_service(web::to(nothing));
        config.service(pages);
    }
}

async fn begin() -> HttpResponse {
    page::go("/console/apps")
}

async fn nothing() -> Result<HttpResponse, Refusal> {
    Err(Refusal::NoPage)
}
