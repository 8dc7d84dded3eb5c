"""Times whole processes, as ratios in one run.

    python benchmarks/whole_processes.py [--checkout DIR] [--rounds 7]

Prints the CPU seconds (user + system, the least of all rounds) of an empty Python and of a two-file diff check with
bundled knowledge; with a checkout of verl, also of all its recipes, and of shellcheck on the same files where it is
installed; and the peak memory of each.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Cost:
    seconds: float
    megabytes: float


def measure(command: list[str], folder: Path, rounds: int) -> Cost:
    """The least CPU time and the largest peak memory of a command, in a child of its own each round."""
    seconds, peak = [], 0.0
    for _ in range(rounds):
        child = os.fork()
        if child == 0:
            os.chdir(folder)
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            os._exit(0)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        os.waitpid(child, 0)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        peak = max(peak, after.ru_maxrss / 1024)
    return Cost(min(seconds), peak)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--checkout", type=Path)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    tool = [sys.executable, "-I", "-m", "reviewbot"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        diff = _two_files(folder)
        empty = measure([sys.executable, "-c", "pass"], folder, options.rounds)
        check = measure([*tool, "check", "--diff", diff, "--verl", "0.9.1"], folder, options.rounds)
    print(f"empty Python          {empty.seconds:7.3f} s {empty.megabytes:6.0f} MB")
    ratio = check.seconds / empty.seconds
    print(
        f"two-file diff         {check.seconds:7.3f} s {check.megabytes:6.0f} MB  {ratio:.1f} x empty Python"
    )
    if options.checkout is None:
        return
    scripts = [path.as_posix() for path in sorted(options.checkout.rglob("*.sh"))]
    rounds = max(1, options.rounds // 3)
    everything = measure([*tool, "check", "--verl", "0.9.1"], options.checkout, rounds)
    print(f"all {len(scripts)} recipes       {everything.seconds:7.3f} s {everything.megabytes:6.0f} MB")
    if shutil.which("shellcheck"):
        other = measure(["shellcheck", *scripts], options.checkout, rounds)
        ratio = everything.seconds / other.seconds
        print(
            f"shellcheck            {other.seconds:7.3f} s {other.megabytes:6.0f} MB  ours is {ratio:.2f} of it"
        )


KEYS = """
algorithm.adv_estimator=grpo data.train_batch_size=256 data.max_prompt_length=$((1024*2))
data.max_response_length=${response} data.filter_overlong_prompts=True data.truncation=error
actor_rollout_ref.model.path=${model} actor_rollout_ref.model.use_remove_padding=True
actor_rollout_ref.actor.optim.lr=1e-6 actor_rollout_ref.actor.ppo_mini_batch_size=64
actor_rollout_ref.actor.use_dynamic_bsz=True actor_rollout_ref.actor.ppo_max_token_len_per_gpu=24576
actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.actor.kl_loss_coef=0.001
actor_rollout_ref.actor.fsdp_config.param_offload=${offload} actor_rollout_ref.rollout.name=vllm
actor_rollout_ref.rollout.tensor_model_parallel_size=${tp} actor_rollout_ref.rollout.n=8
actor_rollout_ref.rollout.expert_parallel_size=${tp} actor_rollout_ref.rollout.gpu_memory_utilization=0.7
actor_rollout_ref.rollout.max_num_batched_tokens=$((2048+response)) algorithm.use_kl_in_reward=False
trainer.n_gpus_per_node=8 trainer.nnodes=${NNODES:-1} trainer.save_freq=20 trainer.test_freq=5
trainer.total_epochs=15 trainer.project_name=bench trainer.experiment_name=${name}
"""
FLAG = "+actor_rollout_ref.rollout.engine_kwargs.vllm.enable_expert_parallel=True"


def _two_files(folder: Path) -> str:
    """Two recipes after a change that adds one line to each, and its diff; returns the name of the diff."""
    head = ["#!/usr/bin/env bash", "set -xeuo pipefail", "tp=4", "response=$((1024 * 8))", "offload=True"]
    head += ["model=${MODEL:-Qwen/Qwen3-30B-A3B}", "name=moe-tp${tp}-len${response}"]
    launch = ["python3 -m verl.trainer.main_ppo \\", *(f"    {word} \\" for word in KEYS.split())]
    pieces = []
    for name, added in (("run_one.sh", FLAG), ("run_two.sh", "trainer.val_before_train=False")):
        lines = [*head, *launch, f"    {added} \\", '    "$@"']
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        number = len(lines) - 1
        shown = "".join(f" {line}\n" for line in lines[number - 4 : number - 1])
        pieces.append(
            f"diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n"
            f"@@ -{number - 3},4 +{number - 3},5 @@\n{shown}+{lines[number - 1]}\n {lines[number]}\n"
        )
    (folder / "pr.diff").write_text("".join(pieces), encoding="utf-8")
    return "pr.diff"


if __name__ == "__main__":
    main()
