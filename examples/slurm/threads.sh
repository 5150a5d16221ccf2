#!/bin/bash
# A basin on 4 nodes, one rank per node with a thread per core: where the model takes much memory, ranks of several threads share it.
#   sbatch threads.sh
#SBATCH --job-name=carom-basin
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=32
#SBATCH --time=02:00:00
set -eu

export OMP_PROC_BIND=false # the threads of a rank go where there is a free core
srun --cpu-bind=cores carom-mpi basin oscillators/impact --set w=2.6 --over q:x=0:2:2000 --over v:x=-2:2:2000 \
    --threads "$SLURM_CPUS_PER_TASK" --csv basin.csv --plot pictures
