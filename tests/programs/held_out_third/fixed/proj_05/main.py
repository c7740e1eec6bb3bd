import numpy as np
import tensorflow as tf

from reservoir.agent import Agent
from reservoir.config import Config
from reservoir.env import Dam
from reservoir.replay import Replay


def main():
    cfg = Config()
    tf.keras.utils.set_random_seed(cfg.seed)
    rng = np.random.default_rng(cfg.seed)
    env, replay = Dam(cfg, rng), Replay(cfg, rng)
    agent = Agent(cfg, replay)
    obs, losses = env.observe(), []
    for t in range(cfg.steps):
        act = agent.act(obs, rng)
        nxt, rew = env.step(act)
        replay.add(obs, act, rew, nxt)
        obs = nxt
        if t >= cfg.warmup:
            losses.append(float(agent.improve()))
            if t % 100 == 0:
                print(f"day {t}: td loss {np.mean(losses[-50:]):.5f}")
    policy = np.argmax(agent.q(np.eye(cfg.levels, dtype="float32")).numpy(), axis=1)
    print("release by level:", policy.tolist())


if __name__ == "__main__":
    main()
