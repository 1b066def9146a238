"""Reads cases of robots.txt from standard input, a JSON object a line (`file`, `agent`, `url`), and prints for each what
gpyrobotstxt (a port of Google's parser) and Protego (Scrapy's) say: `{"google": bool, "protego": bool}`. Where gpyrobotstxt
fails, as it does on a line without a colon, its answer is null.
"""

import json
import sys

from gpyrobotstxt.robots_cc import RobotsMatcher
from protego import Protego


def google(case: dict[str, str]) -> bool | None:
    try:
        return RobotsMatcher().one_agent_allowed_by_robots(case["file"], case["agent"], case["url"])
    except TypeError:
        return None


for line in sys.stdin:
    case = json.loads(line)
    protego = Protego.parse(case["file"]).can_fetch(case["url"], case["agent"])
    print(json.dumps({"google": google(case), "protego": protego}))
