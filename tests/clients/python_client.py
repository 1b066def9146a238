"""A typed Python client: generated from the document that Pharos serves; `python_calls.py` is checked against it by mypy
at its strictest, and run. Prints a JSON object a line.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).parent
base, *rest = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    calls = here / "python_calls.py"
    environment = {**os.environ, "MYPYPATH": folder, "PYTHONPATH": folder}

    def run(*command: str) -> None:
        subprocess.run([sys.executable, *command], check=True, cwd=folder, env=environment, stdout=sys.stderr)

    settings = pathlib.Path(folder) / "settings.yml"
    settings.write_text("package_name_override: pharos_client\npost_hooks: []\n")
    run(
        *["-m", "openapi_python_client", "generate", "--url", f"{base}/openapi.json", "--meta", "none"],
        *["--output-path", f"{folder}/pharos_client", "--config", str(settings), "--fail-on-warning"],
    )
    # The generator answers for its own lines; we for how we use what it made.
    run(*["-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", f"{folder}/mypy", str(calls)])
    subprocess.run([sys.executable, str(calls), base, *rest], check=True, env=environment)
