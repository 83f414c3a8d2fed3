"""Reads a logdir and asks all of it, in a process of bounded memory, and says how it went.

python -m tests.hostile.bounded_reading <logdir> <MiB>
"""

from __future__ import annotations

import dataclasses
import json
import resource
import sys
from pathlib import Path

from tests.api.serving import Server
from tests.hostile.asking import answers


def main() -> None:
    most_bytes = int(sys.argv[2]) << 20
    resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes))
    server = Server(Path(sys.argv[1])).load()
    told = {path: dataclasses.asdict(answer) for path, answer in answers(server).items()}
    ((_, run),) = server.library.runs().items()
    strings = run.snapshot.names.strings.values
    json.dump(
        {
            "answers": told,
            "problems": sorted({problem.kind for problem in run.problems}),
            "num_problems": len(run.problems),
            "op_types": [strings[number] for number in run.executions.op_type[:3].tolist()],
            "num_executions": run.num_executions,
        },
        sys.stdout,
    )
    server.library.close()


if __name__ == "__main__":
    main()
