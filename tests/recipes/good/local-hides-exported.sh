#!/usr/bin/env bash
# idiom: a local variable without a value, or not exported, leaves the exported one to programs
export LEVEL=info
run() {
    local LEVEL
    python3 -m verl.trainer.main_ppo trainer.experiment_name="one${LEVEL-}"
    local +x MODE=2 LEVEL=debug
    bash -c 'python3 -m verl.trainer.main_ppo trainer.experiment_name="$LEVEL"'
    unset LEVEL
    python3 -m verl.trainer.main_ppo trainer.experiment_name=three
}
run
