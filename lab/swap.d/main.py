"""The run of lab/swap: what is installed, what is written meanwhile, and what has to be there afterwards."""
import argparse
import base64
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import uuid

LAB = pathlib.Path(__file__).resolve().parent.parent
CHART = LAB.parent / "deploy" / "chart"
HERE = LAB / "swap.d"
DRIVER = "org.democratic-csi.swap"
# As nodes and controller see it, and as this machine does.
BASE = "/var/lib/csi-local-hostpath"
FOLDER = pathlib.Path(os.environ["FAIRLEAD_KUBE_STATE"], "shared", "swap")
CONNECTION = f"""
driver: local-hostpath
local-hostpath: {{shareBasePath: {BASE}, controllerBasePath: {BASE}, dirPermissionsMode: "0777"}}
proxy: {{perDriver: {{topology: [{{requirements: {{cluster: local}}}}]}}}}
"""
# A record is whole when its sum is there; the number goes on where the folder says that it stopped.
WRITER = """
cd /data || exit 1
n=$(ls | grep -c '\\.sum$')
touch /tmp/ready
while true; do
  head -c 8192 /dev/urandom >$n.data && sync $n.data &&
    sha256sum <$n.data | cut -d' ' -f1 >$n.part && sync $n.part && mv $n.part $n.sum && n=$((n + 1)) || touch /tmp/failed
  sleep 0.2
done
"""
# Counts the records, and fails where one is missing, torn or changed. A copy that was taken under the pen is asked for those
# before it alone, as many as the argument says.
READER = """
cd /data && n=0 there=${1:-$(ls | grep -c '\\.sum$')}
while [ -e $n.sum ] && [ $n -lt ${1:-1000000} ]; do
  [ "$(sha256sum <$n.data | cut -d' ' -f1)" = "$(cat $n.sum)" ] || { echo "record $n is not what was written" >&2; exit 1; }
  n=$((n + 1))
done
[ $n -ge $there ] || { echo "record $n is missing, of $there" >&2; exit 1; }
[ ! -e /tmp/failed ] || { echo 'a write failed' >&2; exit 1; }
echo $n
"""
# What the run makes beside the drivers, in the order in which it goes.
USERS = [("pods", "-l", "swap=user"), ("volumesnapshots", "--all"), ("pvc", "--all")]


class Failed(Exception):
    """Something is not as it has to be."""


def lab(*command, text=None, patience=240):
    done = subprocess.run([str(LAB / "kube"), *command], input=text, text=True, capture_output=True, timeout=patience,
                          check=False)
    if done.returncode:
        raise Failed(f"{' '.join(command[:6])}: {(done.stderr or done.stdout).strip()[-1500:]}")
    return done.stdout


class Space:
    """A namespace and what is asked in it."""

    def __init__(self, name):
        self.name = name

    def kubectl(self, *words, text=None, patience=200):
        return lab("kubectl", "-n", self.name, *words, text=text, patience=patience)

    def get(self, *words):
        return json.loads(self.kubectl("get", "-o", "json", *words))

    def apply(self, *objects):
        self.kubectl("apply", "-f", "-", text="\n---\n".join(json.dumps(o) for o in objects))

    def make(self):
        lab("kubectl", "apply", "-f", "-", text=json.dumps({
            "apiVersion": "v1", "kind": "Namespace",
            "metadata": {"name": self.name, "labels": {"pod-security.kubernetes.io/enforce": "privileged"}}}))

    def ready(self, pod):
        self.kubectl("wait", "--for=condition=Ready", f"pod/{pod}", "--timeout=150s")

    def bound(self, claim):
        self.kubectl("wait", "--for=jsonpath={.status.phase}=Bound", f"pvc/{claim}", "--timeout=120s")

    def records(self, pod, *most):
        return int(self.kubectl("exec", pod, "--", "sh", "-c", READER, "reader", *map(str, most)))

    def identity(self, pod):
        found = self.get("pod", pod)
        return found["metadata"]["uid"], found["status"]["containerStatuses"][0]["restartCount"]


def claim(name, storage_class="swap", size="1Gi", **spec):
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name}, "spec": {
        "accessModes": ["ReadWriteOnce"], "storageClassName": storage_class,
        "resources": {"requests": {"storage": size}}, **spec}}


def writer(name, of, node):
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": {"swap": "user"}}, "spec": {
        "nodeSelector": {"kubernetes.io/hostname": node}, "terminationGracePeriodSeconds": 0, "containers": [{
            "name": "writer", "image": "lab.test/busybox:1", "imagePullPolicy": "Never",
            "command": ["/bin/sh", "-c", WRITER], "volumeMounts": [{"name": "data", "mountPath": "/data"}],
            "readinessProbe": {"exec": {"command": ["test", "-e", "/tmp/ready"]}, "periodSeconds": 1}}],
        "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": of}}]}}


def recorded(namespace):
    """A volume as democratic-csi's proxy leaves one behind, down to its directory; by hand, no driver has a part in it."""
    name = f"pvc-{uuid.uuid4()}"
    (FOLDER / "v" / name).mkdir(parents=True)
    (FOLDER / "v" / name).chmod(0o777)
    volume = {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name, "annotations": {
        "pv.kubernetes.io/provisioned-by": DRIVER,
        "volume.kubernetes.io/provisioner-deletion-secret-name": "",
        "volume.kubernetes.io/provisioner-deletion-secret-namespace": ""}}, "spec": {
            "accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"}, "volumeMode": "Filesystem",
            "persistentVolumeReclaimPolicy": "Delete", "storageClassName": "swap",
            "claimRef": {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "namespace": namespace, "name": "recorded"},
            "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [
                {"key": "org.democratic-csi.topology/cluster", "operator": "In", "values": ["local"]}]}]}},
            "csi": {"driver": DRIVER, "volumeHandle": f"v:shared/{name}", "volumeAttributes": {
                "node_attach_driver": "hostpath", "path": f"{BASE}/v/{name}", "provisioner_driver": "local-hostpath",
                "storage.kubernetes.io/csiProvisionerIdentity": f"1712345678901-8081-{DRIVER}"}}}}
    return volume, claim("recorded", volumeName=name)


def secret():
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "connections"},
            "data": {"shared.yaml": base64.b64encode(CONNECTION.encode()).decode()}}


class Run:
    """One swap, there and back; each promise that held is counted."""

    def __init__(self, image):
        self.image = image
        self.space = Space("swap")
        self.checks = 0
        self.began = time.monotonic()

    def say(self, text):
        print(f"{time.monotonic() - self.began:6.1f} s  {text}", file=sys.stderr, flush=True)

    def check(self, holds, what):
        if not holds:
            raise Failed(what)
        self.checks += 1
        self.say(f"ok: {what}")

    def images(self):
        repository, tag = self.image.rsplit(":", 1)
        return ["-f", str(LAB / "deploy.d/lab.yaml.part"), "--set", f"image.repository={repository},image.tag={tag}"]

    def settle(self):
        """Helm waits for pods; that kubelet knows the new driver is told by the CSINodes."""
        for _ in range(120):
            nodes = json.loads(lab("kubectl", "get", "csinodes", "-o", "json"))["items"]
            if all(any(d["name"] == DRIVER for d in n["spec"].get("drivers") or []) for n in nodes):
                return
            time.sleep(1)
        raise Failed("a node does not list the driver")

    # --- an existing values file -------------------------------------------------------------------------------------

    def values(self):
        """democratic-csi's documented values for its proxy, word for word, and only the storage is the lab's."""
        space = Space("swap-values")
        space.make()
        space.apply(secret())
        folder = {"path": BASE, "type": "DirectoryOrCreate"}
        try:
            lab("helm", "upgrade", "--install", "swap-values", str(CHART), "-n", space.name,
                "-f", str(CHART / "ci/democratic-csi-proxy-values.yaml"), *self.images(), "--set-json",
                "controller.hostPaths=" + json.dumps([folder]), "--set-json", "node.hostPaths=" + json.dumps([folder]),
                # One node has both halves, as its folder is its own.
                "--set", "controller.nodeSelector.kubernetes\\.io/hostname=node-1,node.httpPort=9871",
                "--wait", "--timeout", "4m")
            space.apply({"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "swap-values"},
                         "provisioner": "org.democratic-csi.proxy-topology", "volumeBindingMode": "WaitForFirstConsumer",
                         "parameters": {"connection": "shared"}},
                        claim("first", "swap-values"), writer("first", "first", "node-1"))
            space.ready("first")
            time.sleep(1)
            self.check(space.records("first") > 0, "an existing values file of the proxy installs, and a pod has a volume")
            space.kubectl("delete", "pod/first", "pvc/first", "--timeout=60s")
            self.gone("org.democratic-csi.proxy-topology")
        finally:
            with contextlib.suppress(Failed):
                lab("kubectl", "delete", "storageclass", "swap-values", "--ignore-not-found")
            lab("helm", "uninstall", "swap-values", "-n", space.name, "--wait", "--ignore-not-found", "--timeout", "3m")
            lab("kubectl", "delete", "namespace", space.name, "--timeout=120s")

    # --- there and back ----------------------------------------------------------------------------------------------

    def theirs(self):
        self.say("democratic-csi's manifests, with other images")
        self.space.make()
        self.space.apply(secret())
        modules = "/lib/modules" if pathlib.Path("/lib/modules").is_dir() else "/var/lib/no-modules"
        lab("helm", "upgrade", "--install", "swap", str(HERE / "democratic-csi"), "-n", "swap", "-f",
            str(HERE / "values.yaml"), "--set", f"images.driver={self.image},modulesHostPath={modules}",
            "--wait", "--timeout", "4m")
        self.settle()
        pods = self.space.get("pods")["items"]
        containers = {c["name"] for p in pods for c in p["spec"]["containers"]}
        self.check({"csi-driver", "csi-proxy", "driver-registrar", "cleanup", "external-provisioner"} <= containers,
                   "its Deployment and DaemonSet run: sockets, proxy, registrar and all")

    def ours(self):
        self.say("helm upgrade to Fairlead's chart, with the same values")
        lab("helm", "upgrade", "swap", str(CHART), "-n", "swap", "-f", str(HERE / "values.yaml"), *self.images(),
            "--set", "nameOverride=democratic-csi,node.httpPort=9870,node.updateStrategy.rollingUpdate.maxUnavailable=100%",
            "--wait", "--timeout", "4m")
        self.settle()
        pods = self.space.get("pods", "-l", "app.kubernetes.io/csi-role=node")["items"]
        self.check(all(len(p["spec"]["containers"]) == 1 for p in pods), "nodes run one container each now")

    def back(self):
        self.say("helm rollback to democratic-csi's manifests")
        lab("helm", "rollback", "swap", "1", "-n", "swap", "--wait", "--timeout", "4m")
        self.settle()
        containers = {c["name"] for p in self.space.get("pods")["items"] for c in p["spec"]["containers"]}
        self.check("driver-registrar" in containers, "their manifests run again")

    def across(self, step, pods):
        """A step, during which all of these write on; what was there before is there, and more."""
        before = {pod: (self.space.identity(pod), self.space.records(pod)) for pod in pods}
        step()
        for pod, (who, count) in before.items():
            now = self.space.records(pod)
            self.check(self.space.identity(pod) == who and now > count,
                       f"{pod} wrote on and was not restarted: {count} records before, {now} after, all whole")

    def moved(self, pod, of, node):
        """The pod goes, and comes again on another node."""
        before = self.space.records(pod)
        self.space.kubectl("delete", f"pod/{pod}", "--timeout=100s")
        self.space.apply(writer(pod, of, node))
        self.space.ready(pod)
        time.sleep(1)
        now = self.space.records(pod)
        self.check(now > before, f"{pod} was deleted and made again on {node}: {before} records before, {now} after")

    def grown(self, of, size):
        self.space.kubectl("patch", "pvc", of, "--patch", json.dumps(
            {"spec": {"resources": {"requests": {"storage": size}}}}))
        self.space.kubectl("wait", f"--for=jsonpath={{.status.capacity.storage}}={size}", f"pvc/{of}", "--timeout=120s")
        self.check(True, f"{of} was expanded to {size} under its pod")

    def snapshot(self, name, of, pod):
        least = self.space.records(pod)
        self.space.apply({"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshot", "metadata": {"name": name},
                          "spec": {"volumeSnapshotClassName": "swap", "source": {"persistentVolumeClaimName": of}}})
        self.space.kubectl("wait", "--for=jsonpath={.status.readyToUse}=true", f"volumesnapshot/{name}", "--timeout=120s")
        self.restore(f"{name}-restored", name, least)
        return least

    def restore(self, name, snapshot, least):
        self.space.apply(claim(name, size="4Gi", dataSource={
            "apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "name": snapshot}), {
                "apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": {"swap": "user"}}, "spec": {
                    "terminationGracePeriodSeconds": 0, "restartPolicy": "Never", "containers": [{
                        "name": "reader", "image": "lab.test/busybox:1", "imagePullPolicy": "Never",
                        "command": ["/bin/sleep", "3600"], "volumeMounts": [{"name": "data", "mountPath": "/data"}]}],
                    "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": name}}]}})
        self.space.ready(name)
        count = self.space.records(name, least)
        self.check(count == least, f"the snapshot {snapshot} was restored: the {count} records before it are whole")
        self.space.kubectl("delete", f"pod/{name}", f"pvc/{name}", "--timeout=100s")

    def new(self, name, node):
        self.space.apply(claim(name), writer(name, name, node))
        self.space.ready(name)
        time.sleep(1)
        self.check(self.space.records(name) > 0, f"a new claim, {name}, has a volume and a pod")

    def clear(self):
        """What a run that failed has left: its claims first, as long as there is a driver to delete them."""
        if not json.loads(lab("kubectl", "get", "namespaces", "-o", "json", "--field-selector", "metadata.name=swap"))["items"]:
            return
        self.say("removing what an earlier run left")
        for what in USERS:
            with contextlib.suppress(Failed):
                self.space.kubectl("delete", *what, "--timeout=60s")
        with contextlib.suppress(Failed):
            self.gone(DRIVER)
        lab("helm", "uninstall", "swap", "-n", "swap", "--no-hooks", "--ignore-not-found", "--wait", "--timeout", "2m")
        for volume in json.loads(lab("kubectl", "get", "pv", "-o", "json"))["items"]:
            if volume["spec"].get("csi", {}).get("driver") == DRIVER:
                name = volume["metadata"]["name"]
                lab("kubectl", "delete", "pv", name, "--wait=false")
                lab("kubectl", "patch", "pv", name, "--type=merge", "--patch", '{"metadata": {"finalizers": null}}')
        lab("kubectl", "delete", "namespace", "swap", "--timeout=120s")
        shutil.rmtree(FOLDER, ignore_errors=True)

    def swap(self):
        self.clear()
        self.theirs()
        volume, of = recorded("swap")
        self.space.apply(volume, of)
        self.space.bound("recorded")
        self.space.apply(writer("recorded", "recorded", "node-1"))
        self.space.ready("recorded")
        self.new("theirs", "node-2")
        self.across(self.ours, ["recorded", "theirs"])
        self.moved("recorded", "recorded", "node-3")
        self.moved("theirs", "theirs", "node-3")
        self.grown("recorded", "2Gi")
        self.grown("theirs", "2Gi")
        kept = self.snapshot("of-recorded", "recorded", "recorded")
        self.new("ours", "node-4")
        least = self.space.records("recorded")
        self.across(self.back, ["recorded", "theirs", "ours"])
        for pod in ("recorded", "theirs", "ours"):
            self.moved(pod, pod, "node-2")
            self.grown(pod, "3Gi")
        self.snapshot("of-ours", "ours", "ours")
        self.restore("again", "of-recorded", kept)
        self.check(self.space.records("recorded") > least, "nothing that was written to the recorded volume is lost")

    def gone(self, driver):
        for _ in range(90):
            left = [p for p in json.loads(lab("kubectl", "get", "pv", "-o", "json"))["items"]
                    if p["spec"].get("csi", {}).get("driver") == driver]
            if not left:
                return
            time.sleep(1)
        raise Failed(f"volumes are left: {[p['metadata']['name'] for p in left]}")

    def remove(self):
        """All of it goes by the driver that is there."""
        for what in USERS:
            self.space.kubectl("delete", *what, "--timeout=120s")
        self.gone(DRIVER)
        left = [str(p) for folder in ("v", "s") if (FOLDER / folder).is_dir() for p in (FOLDER / folder).iterdir()]
        self.check(not left, f"deleted volumes and snapshots leave nothing in the folder {left or ''}".rstrip())
        for _ in range(60):
            attached = json.loads(lab("kubectl", "get", "volumeattachments", "-o", "json"))["items"]
            attached = [a["metadata"]["name"] for a in attached if a["spec"]["attacher"] == DRIVER]
            if not attached:
                break
            time.sleep(1)
        self.check(not attached, f"and no VolumeAttachment {attached or ''}".rstrip())
        lab("helm", "uninstall", "swap", "-n", "swap", "--wait", "--timeout", "3m")
        lab("kubectl", "delete", "namespace", "swap", "--timeout=120s")
        shutil.rmtree(FOLDER, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(prog="lab/swap", description=__doc__)
    parser.add_argument("--image", default="lab.test/fairlead:dev", metavar="NAME:TAG", help="Fairlead's, loaded before")
    parser.add_argument("--only", choices=["values", "swap"], help="one of the two parts")
    options = parser.parse_args()
    run = Run(options.image)
    try:
        if options.only != "swap":
            run.values()
        if options.only != "values":
            run.swap()
            run.remove()
    except (Failed, subprocess.TimeoutExpired) as e:
        print(f"FAILED: {e}\n{run.checks} checks held before", file=sys.stderr)
        return 1
    print(f"{run.checks} checks held, none failed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
