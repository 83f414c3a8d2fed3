"""What each kind of problem means for the user, how it is recognised, and what to do about it.

``docs/problems.md`` is made of this (``problem_guide.py``), and the page shows the same words.
Texts are Markdown of which only `code` is used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from tb_debugger_plugin.analyses.observations.observation import ObservationKind
from tb_debugger_plugin.index.problems import ProblemKind as DamageKind

Severity = Literal["loss", "limit", "note"]
"""``loss``: something that was recorded is missing. ``limit``: something cannot be shown, or is
probably missing. ``note``: good to know."""

ProblemKind = Literal[DamageKind, ObservationKind]

ENABLE = """\
tf.debugging.experimental.enable_dump_debug_info(
    {dump_root},
    tensor_debug_mode={mode},
    circular_buffer_size=-1,
)"""

_ENABLE_FULL_HEALTH = ENABLE.replace("{mode}", '"FULL_HEALTH"')

_FLUSH = f"""\
writer = {ENABLE}
# from time to time, and before the program may be killed:
writer.FlushNonExecutionFiles()
writer.FlushExecutionFiles()"""

_IN_EACH_THREAD = """\
def work():  # what the thread runs
    tf.debugging.experimental.enable_dump_debug_info(
        {dump_root},
        tensor_debug_mode={mode},
        circular_buffer_size=-1,
    )
    ..."""


_PLACEHOLDERS = re.compile(r"\{(?:dump_root|mode)\}")


@dataclass(frozen=True)
class Explanation:
    """The words for one kind.

    Attributes:
      title: A few words.
      severity: That of a problem of which nothing is known to be lost; else it is ``loss``.
      meaning: What the user sees or misses because of it, and why.
      signs: How it is recognised.
      remedy: What to do.
      code: What to write in the program; ``{dump_root}`` and ``{mode}`` stand for the run's own,
        as Python literals. "" for none.
    """

    title: str
    severity: Severity
    meaning: str
    signs: str
    remedy: str
    code: str = ""


EXPLANATIONS: Mapping[ProblemKind, Explanation] = {
    # What explains others stands before them: this is the order in which problems are listed.
    # ------------------------------------------------------------ events that are not there
    "events_not_written": Explanation(
        "No event was written",
        "limit",
        "The program ran, and both lists are empty. With a circular buffer, which is the default, "
        "events stay in memory until the program ends by itself: one that is killed, or calls "
        "`os._exit`, leaves none.",
        "The files `.execution` and `.graph_execution_traces` are there and empty, while others of "
        "the set are not. It is a loss for certain where a file ends inside a record, or stack "
        "frames belong to no op.",
        "Write each event at once.",
        ENABLE,
    ),
    "executions_dropped": Explanation(
        "Executions were dropped",
        "limit",
        "The timeline has gaps: nothing can be said of what ran in them, and tensors that were "
        "made in them have no producer. A circular buffer keeps the last executions only, 1,000 "
        "unless `circular_buffer_size` tells another number, and writes them when the program ends "
        "or flushes.",
        "A stack frame is on disk that belongs to no execution and no op there, although later "
        "frames do: frames are written at once, executions are not. Or: there are exactly 1,000 "
        "executions. Or: tensor ids leap where graph executions were dropped at a flush. The last "
        "two are guesses, and are called so.",
        "Record every event.",
        ENABLE,
    ),
    "graph_executions_dropped": Explanation(
        "Graph executions were dropped",
        "limit",
        "Graph Executions has gaps: NaN and ∞ in them raise no alert, and calls are shown without "
        "what went on inside. A circular buffer keeps the last graph executions only, 1,000 unless "
        "`circular_buffer_size` tells another number, and writes them when the program ends or "
        "flushes.",
        "A call of a function has an execution and no graph execution, while other calls of the "
        "same function have some. Or, which is a guess: there are exactly 1,000 graph executions.",
        "Record every event.",
        ENABLE,
    ),
    "calls_without_execution": Explanation(
        "Calls without an execution",
        "limit",
        "These calls are in Graph Executions, but not in the timeline: what they were given and "
        "what they returned is not known. They were made in a thread in which the debugger is not "
        "enabled, or they raised an exception.",
        "Between two executions of a function one of its ops ran more than once.",
        "Enable the debugger in each thread that calls functions, with the same arguments.",
        _IN_EACH_THREAD,
    ),
    "shared_files": Explanation(
        "Two processes may have written to these files",
        "limit",
        "If so, events stand there twice, or are damaged where one process wrote over what another "
        "had written.",
        "The same execution, to the microsecond and the tensor id, is on disk twice. Or, which is "
        "a guess: in several files of a set records do not follow one another. Names of files tell "
        "the host and the second, so that two processes may choose the same.",
        "If files are damaged that were copied, copy them again. Else give each process a "
        "directory of its own, and enable the debugger after a fork, not before.",
        """\
tf.debugging.experimental.enable_dump_debug_info(
    os.path.join({dump_root}, str(os.getpid())),
    tensor_debug_mode={mode},
    circular_buffer_size=-1,
)""",
    ),
    "switched_dump_root": Explanation(
        "The program may have begun to record in another directory",
        "limit",
        "Stack traces have no files and functions no surroundings here. If another directory was "
        "enabled first, they were written there, and functions that were compiled before still "
        "write their graph executions there.",
        "There are stack frames, none of whose source files is on disk: `.source_files` is empty. "
        "That it was emptied later, or not copied whole, looks the same.",
        "Enable the debugger once in a program, before it builds anything. What is missing here is "
        "in the first directory.",
        ENABLE,
    ),
    # ------------------------------------------------------------ files that cannot be read whole
    "bad_length": Explanation(
        "Damaged part of a file",
        "loss",
        "The records in this part are missing from every list. What stands behind it is read and "
        "shown.",
        "A record's length does not agree with its checksum. Reading goes on at the next place "
        "where a length and its checksum do.",
        "If the files were copied, copy them again. If two programs may have written to the "
        "directory at the same time, give each one a directory of its own and record again.",
    ),
    "bad_payload": Explanation(
        "Damaged record",
        "loss",
        "What it told is missing from every list; the records around it are shown.",
        "A record's length is right, and the checksum of its content is wrong.",
        "If the files were copied, copy them again. If two programs may have written to the "
        "directory at the same time, give each one a directory of its own and record again.",
    ),
    "undecodable": Explanation(
        "Record that is not understood",
        "loss",
        "What it told is missing from every list; the records around it are shown.",
        "A record's checksums are right, and its content is not an event of tfdbg2.",
        "See whether a newer version of this plugin knows it, or whether another program wrote to "
        "a file of this name.",
    ),
    "too_large": Explanation(
        "Record larger than any",
        "loss",
        "The record is left out; those around it are shown.",
        "An execution or op has more than 65,536 inputs, outputs or values, or a stack of some "
        "7,000 frames.",
        "TensorFlow writes no such record: see where the file comes from. A very deep recursion "
        "may make such a stack.",
    ),
    "too_many_names": Explanation(
        "More names than are kept",
        "loss",
        "Records that name something new are left out; those of what was named before are shown.",
        "The names of ops, graphs and shapes in one file would take more than 1 GiB of memory: "
        "they are two million.",
        "TensorFlow writes no such file: see where it comes from. If a program makes ops without "
        "end, record a part of it.",
    ),
    "long_name": Explanation(
        "Long name",
        "note",
        "The name is shown by its begin, its length and its end. Nothing else is missing.",
        "A name is longer than 1,024 bytes.",
        "Nothing needs to be done.",
    ),
    "cut_record": Explanation(
        "File ends inside a record",
        "loss",
        "The last events of the program are missing from this file: TensorFlow writes in blocks of "
        "4 KiB, and the program was killed before the next one, or the file was copied too early.",
        "The file ends within a record, and nobody has written to it for a minute.",
        "Let the program end by itself, or flush before it may be killed.",
        _FLUSH,
    ),
    "unreadable_file": Explanation(
        "File cannot be read",
        "loss",
        "Nothing of this file is shown.",
        "Opening or reading it fails; the reason is that of the file system.",
        "Give the user that TensorBoard runs as the right to read the file. It is tried again by "
        "itself.",
    ),
    "out_of_memory": Explanation(
        "Not enough memory",
        "loss",
        "The run is shown as far as it was read.",
        "Memory ran out while the file was read.",
        "Start TensorBoard again where more memory is free, with `--logdir` naming this run alone.",
    ),
    "missing_file": Explanation(
        "A file of the set is missing",
        "loss",
        "What the file held is shown nowhere. TensorFlow makes all six files of a set at once, so "
        "it was deleted, or not copied with the others.",
        "Files of one name up to the last dot are there, and one of the six suffixes is not.",
        "Copy all the files whose names begin alike: `tfdbg_events.<time>.<host>.*`.",
    ),
    "missing_metadata": Explanation(
        "Metadata is missing",
        "limit",
        "The run's id, its start and the version of TensorFlow are not known. All else is shown.",
        "The file that ends in `.metadata` is not there, or its one record cannot be read.",
        "Copy the `.metadata` file too: it is written as soon as the debugger is enabled.",
    ),
    # ------------------------------------------------------------ references that lead nowhere
    "missing_stack_frames": Explanation(
        "Stack frames are missing",
        "limit",
        "Stack Trace and Source Code cannot tell where these executions and ops were made, or not "
        "all of it. The file is damaged, or the program was killed: files are written in blocks of "
        "4 KiB, so that the last frames were left unwritten.",
        "Executions or ops name frames that are not in `.stack_frames`.",
        "If the file is damaged, copy it again. Else let the program end by itself, or flush "
        "before it may be killed.",
        _FLUSH,
    ),
    "missing_source_files": Explanation(
        "Source files are missing",
        "limit",
        "Lines and functions of these frames are known, the files are not. Where one of them may "
        "be the user's own line, no line is told, rather than a wrong one.",
        "Stack frames name files by their number in `.source_files`, and there are fewer; or a "
        "record there is damaged, so that it is not known what its number and those behind it "
        "stand for, unless frames name as many files as there are with it.",
        "Copy the file that ends in `.source_files` again if it was copied. Else let the program "
        "end by itself, or flush before it may be killed.",
        _FLUSH,
    ),
    "missing_graphs": Explanation(
        "Graphs are missing",
        "limit",
        "The name of these graphs, and which graph they are in, is not known.",
        "Records name graphs by ids that are not in `.graphs`.",
        "If the file is damaged, copy it again. Else let the program end by itself, or flush "
        "before it may be killed.",
        _FLUSH,
    ),
    "missing_ops": Explanation(
        "Ops are missing",
        "limit",
        "Values of these ops are shown. Their types, their stacks and their inputs are not known.",
        "Graph executions name ops that are not in `.graphs`, although others of the same graph "
        "are.",
        "If the file is damaged, copy it again. Else let the program end by itself, or flush "
        "before it may be killed.",
        _FLUSH,
    ),
    "graphs_without_ops": Explanation(
        "Functions without recorded ops",
        "limit",
        "Graph Structure cannot show what is inside of these functions, and nothing tells whether "
        "it is healthy. They were built in a thread in which the debugger is not enabled.",
        "A graph is declared, and no op of it or of another graph of its name is on disk.",
        "Enable the debugger in each thread that builds functions, with the same arguments.",
        _IN_EACH_THREAD,
    ),
    "only_graph_executions": Explanation(
        "A worker's files alone",
        "limit",
        "Values are shown with the names of their ops. Types, stacks and graphs are in the files "
        "of the program that built the graphs, which are not here.",
        "Of all sets of the run only `.graph_execution_traces` has content.",
        "Copy the files of that program into this directory: those with the same run id.",
    ),
    "dangling_inputs": Explanation(
        "Inputs whose producer is not recorded",
        "limit",
        "From these inputs the way of a bad value cannot be followed back.",
        "Ops name inputs that no recorded op makes. Calls of functions inside a graph are never "
        "recorded, and not meant here.",
        "None is known. If the file is damaged too, record again.",
    ),
    # ------------------------------------------------------------ what was not observed
    "unobserved_calls": Explanation(
        "Calls that were not observed",
        "limit",
        "Nothing tells whether what these calls computed inside is healthy: no alert can come from "
        "there. XLA compiled them, or they were loaded from a SavedModel, or `op_regex` and "
        "`tensor_dtypes` leave out all of their ops.",
        "Executions of a function gave values, its graph has ops that leave traces, and not one "
        "graph execution of it is on disk.",
        "Do without XLA while debugging.",
        """\
@tf.function(jit_compile=False)
def step(x): ...


model.compile(..., jit_compile=False)  # Keras""",
    ),
    "unobserved_functions": Explanation(
        "Functions that were never seen to run",
        "note",
        "They may never have been called; or they were compiled by XLA within another one, where "
        "nothing is observed.",
        "A function has ops that compute floats, and there is neither an execution nor a graph "
        "execution of it. Gradients, branches and loops, functions of datasets, and functions of "
        "which another version ran are not meant.",
        "If it was called: do without XLA while debugging.",
        """\
@tf.function(jit_compile=False)
def step(x): ...


model.compile(..., jit_compile=False)  # Keras""",
    ),
    "no_values": Explanation(
        "Values were not recorded",
        "limit",
        "No NaN and no ∞ can be found: there is no alert, whatever went wrong.",
        "Events are of the debug mode NO_TENSOR.",
        "Record the health of tensors. FULL_HEALTH counts NaN, ∞, zeros and signs; CONCISE_HEALTH "
        "counts NaN and ∞ in less time; FULL_TENSOR keeps all values.",
        _ENABLE_FULL_HEALTH,
    ),
    "shapes_only": Explanation(
        "Shapes without values",
        "limit",
        "No NaN and no ∞ can be found: there is no alert, whatever went wrong.",
        "Events are of the debug mode SHAPE.",
        "Record the health of tensors. FULL_HEALTH counts NaN, ∞, zeros and signs, and has the "
        "number of dimensions and of elements; FULL_TENSOR has shapes and all values.",
        _ENABLE_FULL_HEALTH,
    ),
    "no_counts": Explanation(
        "NaN and ∞ without counts",
        "note",
        "An alert tells that a tensor holds NaN or ∞, not which of them, nor how many; zeros and "
        "signs are not told at all.",
        "Events are of the debug mode CURT_HEALTH.",
        "Record more of each tensor: CONCISE_HEALTH counts NaN, -∞ and +∞, and FULL_HEALTH zeros "
        "and signs too.",
        _ENABLE_FULL_HEALTH,
    ),
    # ------------------------------------------------------------ good to know
    "unknown_file_version": Explanation(
        "Unknown version of the format",
        "limit",
        "What this version has in addition is not shown, and what it has changed may be wrong.",
        "The metadata names another version than `debug.Event:1`.",
        "See whether a newer version of this plugin knows it.",
    ),
    "no_run_id": Explanation(
        "No run id",
        "note",
        "Which file sets in one directory belong together cannot be told: each is a run.",
        "The metadata has no `tfdbg_run_id`.",
        "Record with a newer TensorFlow, or one program a directory.",
    ),
    "source_not_captured": Explanation(
        "Source not captured",
        "note",
        "Stack Trace names the lines, and Source Code cannot show them. TensorFlow records the "
        "text of files that it can read as Python: not cells of a notebook, nor what is typed at a "
        "prompt, made by `exec`, or compiled.",
        "A file of the program's own is recorded without lines.",
        "Keep the code in a file and import it. In a notebook:",
        """\
%%writefile my_model.py
...

# in the next cell
from my_model import ...""",
    ),
    "nothing_recorded": Explanation(
        "Nothing was recorded",
        "note",
        "There is nothing to show. The debugger records what is built and run after it is enabled, "
        "in that thread.",
        "All files of the run but the metadata are empty.",
        "Enable the debugger at the top of the program, before it builds any model or function.",
        ENABLE,
    ),
}


def severity_of(kind: ProblemKind, is_loss: bool) -> Severity:
    """How grave a problem is: a kind's own severity, unless something is lost."""
    return "loss" if is_loss else EXPLANATIONS[kind].severity


def remedy_code(kind: ProblemKind, dump_root: str, mode: str | None) -> str:
    """What to write in the program; "" for none.

    Args:
      kind: The problem's.
      dump_root: The run's directory.
      mode: Its debug mode, kept where the remedy is not another one.
    """
    values = {
        "{dump_root}": json.dumps(dump_root, ensure_ascii=False),
        "{mode}": f'"{mode or "FULL_HEALTH"}"',
    }
    return _PLACEHOLDERS.sub(lambda found: values[found[0]], EXPLANATIONS[kind].code)
