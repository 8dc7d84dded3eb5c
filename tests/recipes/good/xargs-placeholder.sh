#!/usr/bin/env bash
# idiom: xargs puts what it reads in the place of a name
printf '%s\n' 1 2 | xargs -I{} python3 -m verl.trainer.main_ppo trainer.nnodes={} trainer.total_epochs=1
echo trainer.nnodes=2 | xargs -I WORD python3 -m verl.trainer.main_ppo WORD trainer.total_epochs=2
