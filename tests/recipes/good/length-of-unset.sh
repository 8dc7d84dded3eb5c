#!/usr/bin/env bash
# idiom: under set -u the length of a variable that is not set ends the subshell
set -u
name=abc
train() {
    local name tag=x
    ( python3 -m verl.trainer.main_ppo trainer.experiment_name="${#tag}"
      python3 -m verl.trainer.main_ppo trainer.experiment_name="${#name}" )
    python3 -m verl.trainer.main_ppo trainer.experiment_name=after
}
train
