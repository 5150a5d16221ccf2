#!/bin/bash
# A sweep on 64 cores of a cluster, one rank per core:  sbatch sweep.sh
#
# The job may be stopped at its time limit, preempted or lost with a node: submitted again it goes on with what is missing.
#SBATCH --job-name=carom-sweep
#SBATCH --ntasks=64
#SBATCH --cpus-per-task=1
#SBATCH --mem-per-cpu=500M
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --signal=TERM@60
set -eu

table=impact.csv
if [ -s "$table.part" ]; then # its journal: an earlier job began it
    srun carom-mpi resume "$table"
elif [ ! -e "$table" ]; then
    srun carom-mpi sweep oscillators/impact --over w=2:4:1000 --over e=0.3:0.95:1000 --csv "$table"
fi
