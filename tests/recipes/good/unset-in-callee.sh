#!/usr/bin/env bash
# idiom: unset in a function that was called takes the caller's local variable away
level=info
inner() {
    unset level
    export level
    python3 -m verl.trainer.main_ppo trainer.experiment_name="one-${level-none}"
}
outer() {
    local level=debug
    inner
    python3 -m verl.trainer.main_ppo trainer.experiment_name="two-${level-none}"
}
outer
python3 -m verl.trainer.main_ppo trainer.experiment_name="three-${level-none}"
