import numpy as np

from config import cfg
from environment import Balance
from policy import Policy
from rollout import episode


def main():
    rng = np.random.default_rng(cfg.seed)
    env = Balance(rng, cfg.state)
    policy = Policy(cfg)
    lengths = []
    for _ in range(cfg.episodes):
        states, actions, returns = episode(env, policy, rng, cfg)
        policy.improve(states, actions, returns)
        lengths.append(len(states))
    print("episode lengths", lengths)


if __name__ == "__main__":
    main()
