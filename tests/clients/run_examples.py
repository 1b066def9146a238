"""Runs the calls of the documentation in the file given as the first argument, a list of them with the values of what stands in
capital letters, in their order: those in curl by bash, those in Python here. Prints the status of each answer as a JSON object a
line; what an answer says that is no success goes to standard error.
"""

import json
import shlex
import subprocess
import sys
from typing import Any

# The example prints the answer's body: here its status is asked for. The program that makes keys is not everywhere.
BASH = """set -eu
curl() { command curl --output "$ANSWER" --write-out '%{http_code}' "$@"; }
if ! command -v uuidgen >/dev/null; then uuidgen() { cat /proc/sys/kernel/random/uuid; }; fi
"""


def by_bash(code: str, variables: dict[str, str], answer: str) -> tuple[int, str]:
    """The status and the body of what a script of curl is answered."""
    values = {"ANSWER": answer, **variables}
    lines = [f"{name}={shlex.quote(value)}\n" for name, value in values.items()]
    script = f"{''.join(lines)}{BASH}{code}\n"
    # An answer without a body writes no file.
    open(answer, "w", encoding="utf-8").close()
    done = subprocess.run(["bash", "-c", script], stdout=subprocess.PIPE, text=True, check=True)
    with open(answer, encoding="utf-8") as body:
        return int(done.stdout), body.read()


def here(code: str, variables: dict[str, str]) -> tuple[int, str]:
    """The status and the body that an example in Python prints."""
    printed: list[tuple[int, str]] = []
    names: dict[str, Any] = {**variables, "print": lambda status, text: printed.append((status, text))}
    exec(compile(code, "example", "exec"), names)
    [answer] = printed
    return answer


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        examples = json.load(file)
    for example in examples:
        code, variables = example["code"], example["variables"]
        if example["language"] == "curl":
            status, text = by_bash(code, variables, f"{sys.argv[1]}.answer")
        else:
            status, text = here(code, variables)
        print(json.dumps({"id": example["id"], "status": status}), flush=True)
        if status >= 300:
            print(example["id"], text, file=sys.stderr)


main()
