"""What holds for every object that the chart makes, whatever the values."""

import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
LABELS = ["app.kubernetes.io/name", "app.kubernetes.io/instance", "app.kubernetes.io/managed-by", "helm.sh/chart"]
TOKEN = "/var/run/secrets/kubernetes.io/serviceaccount"
CLUSTER_WIDE = {"ClusterRole", "ClusterRoleBinding", "CSIDriver", "StorageClass", "VolumeSnapshotClass",
                "SecurityContextConstraints"}
# What some kind of access would let a process take more of.
ESCALATIONS = {"*", "escalate", "bind", "impersonate"}


def problems(things, theirs):
    found = [f"{label(t)}: {problem}" for t in things for problem in about(t, theirs)]
    names = [(t["kind"], t["metadata"].get("namespace"), t["metadata"]["name"]) for t in things]
    found += [f"{n} stands twice" for n in {n for n in names if names.count(n) > 1}]
    found += list(unbound(things))
    return found


def label(thing):
    return f"{thing['kind']} {thing['metadata']['name']}"


def about(thing, theirs):
    meta = thing["metadata"]
    if (thing["kind"] in CLUSTER_WIDE) == ("namespace" in meta):
        yield "a namespace where none belongs, or none where one does"
    if len(meta["name"]) > 63:
        yield "its name is longer than 63"
    if thing["kind"] not in ("ConfigMap",) or "-more" not in meta["name"] and "-text" not in meta["name"]:
        yield from (f"lacks the label {key}" for key in LABELS if key not in meta.get("labels", {}))
    for rule in thing.get("rules", []):
        yield from rule_problems(rule)
    if thing["kind"] in ("Deployment", "DaemonSet"):
        yield from selection(thing)
    if thing["kind"] in ("Deployment", "DaemonSet", "Job"):
        yield from workload(thing, theirs)


def rule_problems(rule):
    words = rule["apiGroups"] + rule["resources"] + rule["verbs"]
    if ESCALATIONS & set(words):
        yield f"a rule too wide: {rule}"
    if "secrets" in rule["resources"] and set(rule["verbs"]) != {"get"}:
        yield f"Secrets are read by name alone: {rule}"


def unbound(things):
    """Permissions are those of accounts that pods of this release have; none is for nobody."""
    accounts = {t["spec"]["template"]["spec"]["serviceAccountName"] for t in things if "template" in t.get("spec", {})}
    roles = {(t["kind"], t["metadata"]["name"]) for t in things if "rules" in t}
    for thing in things:
        if thing["kind"].endswith("Binding"):
            ref = thing["roleRef"]
            if (ref["kind"], ref["name"]) not in roles:
                yield f"{label(thing)}: binds {ref['name']}, which is not there"
            for subject in thing["subjects"]:
                if subject["name"] not in accounts:
                    yield f"{label(thing)}: is for {subject['name']}, which no pod has"
    for thing in things:
        if thing["kind"] == "ServiceAccount" and thing["metadata"]["name"] not in accounts:
            yield f"{label(thing)}: no pod has it"
        if thing["kind"] == "ServiceAccount" and thing.get("automountServiceAccountToken") is not False:
            yield f"{label(thing)}: hands out its token"


def selection(thing):
    labels = thing["spec"]["template"]["metadata"]["labels"]
    selector = thing["spec"]["selector"]["matchLabels"]
    if not selector.items() <= labels.items():
        yield "does not select its own pods"
    if any("version" in key or key == "helm.sh/chart" for key in selector):
        yield "selects by what an upgrade changes"


def workload(thing, theirs):
    pod = thing["spec"]["template"]["spec"]
    if pod.get("automountServiceAccountToken") is not False:
        yield "mounts the token into every container"
    if pod.get("securityContext", {}).get("seccompProfile", {}).get("type") != "RuntimeDefault":
        yield "has no seccomp profile"
    if not pod.get("priorityClassName"):
        yield "has no priority"
    volumes = [v["name"] for v in pod["volumes"]]
    for name in {v for v in volumes if volumes.count(v) > 1}:
        yield f"the volume {name} stands twice"
    mounted = {m["name"] for c in pod["containers"] for m in c.get("volumeMounts", [])}
    yield from (f"mounts {n}, which is no volume" for n in mounted - set(volumes))
    yield from (f"nobody mounts the volume {n}" for n in set(volumes) - mounted)
    names = [c["name"] for c in pod["containers"]]
    if len(names) != len(set(names)):
        yield f"a container stands twice: {names}"
    for container in pod["containers"]:
        yield from (f"{container['name']}: {p}" for p in container_problems(container, pod, theirs))


def container_problems(container, pod, theirs):
    security = container.get("securityContext", {})
    node = container["name"] == "csi-driver" and security.get("privileged")
    if not security.get("readOnlyRootFilesystem"):
        yield "its root file system can be written"
    if not node and security.get("allowPrivilegeEscalation") is not False:
        yield "may gain privileges"
    if not node and security.get("capabilities", {}).get("drop") != ["ALL"]:
        yield "keeps capabilities"
    if not node and security.get("privileged"):
        yield "is privileged"
    if bool(node) != any(m.get("mountPropagation") == "Bidirectional" for m in container["volumeMounts"]
                         if m["name"] == "kubelet-dir"):
        yield "is privileged without need, or mounts for the host without it"
    if "resources" not in container and not theirs:
        yield "has no resources"
    elif not theirs and "memory" not in container["resources"].get("limits", {}):
        yield "has no memory limit"
    if container.get("imagePullPolicy") not in ("Always", "IfNotPresent", "Never"):
        yield "has no pull policy"
    if re.search(r":latest$|[^:@]*democratic-csi/democratic-csi", container["image"]):
        yield f"runs {container['image']}"
    paths = [m["mountPath"].rstrip("/") for m in container["volumeMounts"]]
    for path in {p for p in paths if paths.count(p) > 1}:
        yield f"two mounts at {path}"
    kubelet = [m["mountPath"] for m in container["volumeMounts"] if m["name"] == "kubelet-dir"]
    for path in paths:
        if any(path.startswith(k + "/") for k in kubelet):
            yield f"the mount at {path} would stay behind on the host"
    asks = container["name"] != "csi-driver" or asks_api(container, pod)
    if asks != (TOKEN in paths):
        yield "has the token without need, or lacks it"
    yield from options(container)


def asks_api(container, pod):
    args = container["args"]
    if any(a.startswith("--startup-taint") for a in args) or "drain-wait" in str(container.get("lifecycle")):
        return True
    asking = {"--leader-election", "--kubernetes-events", "--kubernetes-claim-events", "--kubernetes-sources"}
    return bool(asking & set(args)) or (
        "node" in args and any(m["name"] == "api-access" for m in container["volumeMounts"]))


def options(container):
    """Every option is known to the program that gets it."""
    given = [re.sub("^--|=.*$", "", a) for a in container["args"] if a.startswith("--")]
    bootstrap = HERE.parents[1] / "bootstrap/src/main/java/dev/fairlead/bootstrap"
    if container["name"] == "csi-driver":
        known = set(re.findall(r'"([a-z-]+)"', (bootstrap / "options/RawOptions.java").read_text(encoding="utf-8")))
    elif container["name"] == "affinity":
        sources = [bootstrap / "cli" / f"{name}.java" for name in ("AffinityCommand", "former/AffinityFlags", "former/UnusedFlags")]
        known = {flag for file in sources for flag in re.findall(r'"--([a-z-]+)"', file.read_text(encoding="utf-8"))}
    elif container["name"] == "uninstall-check":
        command = (bootstrap / "cli/UninstallCheckCommand.java").read_text(encoding="utf-8")
        known = set(re.findall(r'names = "--([a-z-]+)"', command))
    else:
        lines = (HERE / "sidecar-flags").read_text(encoding="utf-8").splitlines()
        table = {line.split()[0]: line.split()[1:] for line in lines if not line.startswith("#")}
        program = container["image"].split("/")[-1].split(":")[0]
        known = set(table["all"]) | {f for key, flags in table.items() if key.startswith(program + ":") for f in flags}
        if len(given) != len(set(given)):
            yield f"a flag stands twice: {given}"
    yield from (f"--{option} is not known to it" for option in given if option not in known)
