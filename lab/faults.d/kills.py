"""What is done to the cluster while pods come and go. Each is one word, and undone by itself before the next one."""
import random
import threading
import time

NODE, CONTROLLER = "fairlead.* node ", "fairlead.* controller "

# How often each is drawn; the slow ones seldom.
WEIGHTS = {"node container": 9, "controller": 6, "kubelet": 4, "API server": 1, "node": 1}


# How much longer the pauses are once there were kills enough.
SELDOM = 5


class Kills:
    """Draws and does kills until it is told to stop; each of the kinds at least once."""

    def __init__(self, cluster, seed, pause, outage, say):
        self.cluster = cluster
        self.random = random.Random(f"kills {seed}")
        self.pause = pause
        self.outage = outage
        self.say = say
        self.done = dict.fromkeys(WEIGHTS, 0)
        self.ended = threading.Event()
        self.nodes = cluster.nodes()
        self.due = self.random.sample(sorted(WEIGHTS), len(WEIGHTS))

    @property
    def total(self):
        return sum(self.done.values())

    def run(self, least):
        """Ends when it was told to and at least so many were done; once they are, they come more seldom, or nothing runs."""
        while not (self.ended.wait(self._pause(least)) and self.total >= least and not self.due):
            kind = self.due.pop() if self.due and (self.ended.is_set() or self.random.random() < 0.4) else self._draw()
            node = self.random.choice(self.nodes)
            hit = self._do(kind, node)
            self.done[kind] += hit
            self.say(f"kill {self.total}: {kind}{'' if kind in ('controller', 'API server') else ' ' + node}"
                     f"{'' if hit else ' (was not running)'}")

    def _pause(self, least):
        return self.random.uniform(*self.pause) * (1 if self.total < least or self.ended.is_set() else SELDOM)

    def _draw(self):
        return self.random.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]

    def _do(self, kind, node):
        if kind == "node container":
            return self._pkill(node, NODE)
        if kind == "controller":
            return any([self._pkill(each, CONTROLLER) for each in self.nodes])
        if kind == "kubelet":
            self.cluster.lab("node", "restart-kubelet", node)
        elif kind == "API server":
            self.cluster.lab("program", "stop", "kube-apiserver")
            time.sleep(self.outage)
            self.cluster.lab("program", "start", "kube-apiserver")
        else:
            self.cluster.lab("node", "stop", node)
            time.sleep(self.random.uniform(1, 20))
            self.cluster.lab("node", "start", node)
        return True

    def _pkill(self, node, pattern):
        return self.cluster.enter(node, "pkill", "-KILL", "-f", pattern).returncode == 0
