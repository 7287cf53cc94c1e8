"""What each values file of deploy/chart/ci is there to show, and what is to be seen with values on the command line."""

import pathlib
import re

import yaml

import affinity_cases


class Release:
    """What is installed; or what there is only while it is uninstalled."""

    def __init__(self, things, hooks=False):
        self.things = [t for t in things if ("helm.sh/hook" in t["metadata"].get("annotations", {})) == hooks]

    def all(self, kind):
        return [t for t in self.things if t["kind"] == kind]

    def names(self, kind):
        return sorted(t["metadata"]["name"] for t in self.all(kind))

    def one(self, kind, name):
        found = [t for t in self.all(kind) if t["metadata"]["name"] == name]
        assert len(found) == 1, f"{kind} {name}: {self.names(kind)}"
        return found[0]

    def pod(self, kind, name):
        return self.one(kind, name)["spec"]["template"]["spec"]

    def containers(self, kind, name):
        return {c["name"]: c for c in self.pod(kind, name)["containers"]}

    def flags(self, kind, name, container):
        args = self.containers(kind, name)[container]["args"]
        return dict(re.match("--([^=]*)=?(.*)$", a).groups() for a in args if a.startswith("--"))

    def main_file(self, name):
        return yaml.safe_load(self.one("Secret", name)["stringData"]["driver-config-file.yaml"])

    def rules(self, *names):
        return {r for t in self.all("ClusterRole") + self.all("Role") if t["metadata"]["name"] in names
                for rule in t["rules"] for r in rule["resources"]}


    def uses(self):
        """The SecurityContextConstraints that each account may use."""
        found = {}
        for binding in self.all("ClusterRoleBinding"):
            role = self.one("ClusterRole", binding["roleRef"]["name"])
            for rule in role["rules"]:
                if rule["resources"] == ["securitycontextconstraints"]:
                    for subject in binding["subjects"]:
                        found.setdefault(subject["name"], []).extend(rule["resourceNames"])
        return found

    def verbs(self, name):
        return {r: rule["verbs"] for rule in self.one("ClusterRole", name)["rules"] for r in rule["resources"]}


def equal(actual, expected):
    assert actual == expected, f"{actual}\nis not\n{expected}"


def default(release, _):
    equal(release.names("Deployment"), ["rel-fairlead-controller"])
    equal(list(release.containers("DaemonSet", "rel-fairlead-node")), ["csi-driver"])
    equal(list(release.containers("Deployment", "rel-fairlead-controller")),
          ["csi-driver", "external-provisioner", "external-resizer", "external-snapshotter"])
    equal(release.one("CSIDriver", "csi.fairlead.dev")["spec"],
          {"attachRequired": False, "podInfoOnMount": False, "storageCapacity": False})
    # Credentials stay in the controller's file, and nodes are told where volumes may be.
    assert "httpConnection" in release.main_file("rel-fairlead-driver-config")
    node = release.main_file("rel-fairlead-node-config")
    equal(sorted(node), ["driver", "fairlead", "proxy"])
    equal(node["fairlead"]["node"]["hostPathRoots"], ["/srv/z1", "/srv/z2"])
    assert not any(v.get("secret", {}).get("secretName") in ("rel-fairlead-driver-config", "rel-fairlead-connections")
                   for v in release.pod("DaemonSet", "rel-fairlead-node")["volumes"])
    files = release.one("Secret", "rel-fairlead-connections")["stringData"]
    equal(sorted(files), ["as-text.yaml", "scratch-z1.yaml"])
    assert "# ${this} stays as it is" in files["as-text.yaml"]
    equal(yaml.safe_load(files["scratch-z1.yaml"])["local-hostpath"]["dirPermissionsMode"], "0777")
    flags = release.flags("Deployment", "rel-fairlead-controller", "external-provisioner")
    equal((flags["strict-topology"], flags["immediate-topology"], flags["extra-create-metadata"]),
          ("true", "false", "true"))
    assert "enable-capacity" not in flags and "csistoragecapacities" not in release.rules(*release.names("Role"))
    driver = release.containers("Deployment", "rel-fairlead-controller")["csi-driver"]
    equal(driver["securityContext"]["capabilities"]["add"], ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID"])
    equal(release.names("ServiceAccount"), ["rel-fairlead-controller", "rel-fairlead-node"])
    assert not any(s["name"] == "rel-fairlead-node" for t in release.all("ClusterRoleBinding") for s in t["subjects"])


def node_local(release, chart):
    containers = release.containers("DaemonSet", "rel-fairlead-node")
    equal(list(containers), ["csi-driver", "external-provisioner", "external-snapshotter"])
    equal(containers["csi-driver"]["args"][0], "all")
    flags = release.flags("DaemonSet", "rel-fairlead-node", "external-provisioner")
    equal((flags["node-deployment"], flags["enable-capacity"], flags["capacity-ownerref-level"]), ("true", "true", "1"))
    equal(release.flags("DaemonSet", "rel-fairlead-node", "external-snapshotter")["node-deployment"], "true")
    equal(release.one("CSIDriver", "node.example.org")["spec"], {
        "attachRequired": False, "podInfoOnMount": False, "storageCapacity": True, "fsGroupPolicy": "File"})
    equal(release.main_file("rel-fairlead-node-config"), {
        "driver": "proxy", "fairlead": {"node": {"hostPathRoots": ["/var/lib/disks"]}},
        "proxy": {"configFolder": "/etc/fairlead/connections", "nodeTopology": {"type": "node"}}})
    equal([n for n in release.names("Secret") if "config" in n], ["rel-fairlead-node-config", "rel-fairlead-resizer-config"])
    # Nothing of other nodes is read from a node, and no owner above the DaemonSet is looked for.
    assert not {"nodes", "csinodes", "replicasets", "secrets"} & release.rules(
        "rel-fairlead-provisioner", "rel-fairlead-snapshotter", "rel-fairlead-capacity")
    # The driver asks where a source is that is not on its node, and turns the claim there; nothing more.
    assert "--kubernetes-sources" in containers["csi-driver"]["args"]
    equal([(r["resources"], r["verbs"]) for r in release.one("ClusterRole", "rel-fairlead-sources")["rules"]], [
        (["persistentvolumes"], ["get", "list"]), (["volumesnapshotcontents"], ["get", "list"]),
        (["csinodes", "storageclasses"], ["get"]), (["persistentvolumeclaims"], ["get", "update"])])
    # What is wrong with a volume is told at its claim, unless events are off.
    assert "--kubernetes-claim-events" in containers["csi-driver"]["args"]
    equal(release.verbs("rel-fairlead-node-claims"), {"persistentvolumes": ["get", "list"], "events": ["create", "patch"]})
    silent = Release(chart.render("--set", "controller.strategy=node,controller.events=false"))
    assert "--kubernetes-claim-events" not in silent.containers("DaemonSet", "rel-fairlead-node")["csi-driver"]["args"]
    assert "rel-fairlead-node-claims" not in silent.names("ClusterRole")
    # One resizer for the cluster, with no storage and no privileges.
    resizer = release.pod("Deployment", "rel-fairlead-resizer")
    assert not any("hostPath" in v for v in resizer["volumes"]) and resizer["securityContext"]["runAsNonRoot"]
    bare = Release(chart.render("--set", "controller.strategy=node,controller.externalResizer.enabled=false"))
    equal((bare.names("Deployment"), bare.names("ServiceAccount")), ([], ["rel-fairlead-node"]))


def openshift_pools(release, chart):
    [constraints] = release.all("SecurityContextConstraints")
    equal(constraints["metadata"]["name"], "rel-fairlead-node")
    allowed = {key: constraints[key] for key in constraints if key.startswith("allow")}
    equal(allowed, {
        "allowPrivilegedContainer": True, "allowPrivilegeEscalation": True, "allowHostDirVolumePlugin": True, "allowHostIPC": False,
        "allowHostNetwork": False, "allowHostPID": False, "allowHostPorts": False, "allowedCapabilities": []})
    equal((constraints["users"], constraints["groups"], constraints["readOnlyRootFilesystem"]), ([], [], True))
    pod = release.pod("DaemonSet", "rel-fairlead-node")
    used = {next(iter(set(v) - {"name"})) for v in pod["volumes"]}
    assert used <= set(constraints["volumes"]), used
    equal(release.uses(), {
        "rel-fairlead-node": ["rel-fairlead-node"], "rel-fairlead-controller": ["nonroot-v2"]})
    # The resizer's pod is what nonroot-v2 allows: no folder of the host, no capability, another user than root.
    resizer = release.pod("Deployment", "rel-fairlead-resizer")
    assert not any("hostPath" in v for v in resizer["volumes"]) and resizer["securityContext"]["runAsNonRoot"]
    # The pools are those of the operator, and lie in folders that the driver is shown at the same path.
    main = release.main_file("rel-fairlead-node-config")
    shown = [v["hostPath"]["path"] for v in pod["volumes"] if "hostPath" in v]
    equal([p["name"] for p in main["local-pool"]["datadir"]], ["legacy", "fast"])
    for pool in main["local-pool"]["datadir"]:
        assert any(pool["path"].startswith(f"{path}/") for path in shown), pool
    # No label of SELinux is asked for anywhere: folders are served as they are labelled.
    assert "seLinuxOptions" not in yaml.safe_dump(release.things)
    bare = Release(chart.render("-f", str(chart_folder() / "ci/node-local-values.yaml")))
    equal((bare.all("SecurityContextConstraints"), bare.uses()), ([], {}))
    file = str(chart_folder() / "ci/node-groups-values.yaml")
    groups = Release(chart.render("-f", file, "--set", "openshift.enabled=true,affinity.enabled=true,node.extraContainers[0].name=more"))
    [constraints] = groups.all("SecurityContextConstraints")
    equal((constraints["allowHostNetwork"], constraints["readOnlyRootFilesystem"]), (True, False))
    equal(groups.uses()["rel-fairlead-affinity"], ["nonroot-v2"])
    hooks = Release(chart.render("--set", "openshift.enabled=true"), hooks=True)
    equal(hooks.uses(), {"rel-fairlead-uninstall-check": ["nonroot-v2"]})


def several_names(release, _):
    equal(release.names("CSIDriver"), ["blocks.example.org", "files.example.org"])
    containers = release.containers("Deployment", "rel-fairlead-controller")
    equal(list(containers), [
        "csi-driver", "external-provisioner", "external-resizer", "external-snapshotter", "external-attacher-2",
        "external-provisioner-2", "external-resizer-2", "external-snapshotter-2"])
    pairs = [a for a in containers["csi-driver"]["args"] if re.match("--(csi-name|server-socket)=", a)]
    equal(pairs, ["--csi-name=files.example.org", "--server-socket=/csi/csi.sock",
                  "--csi-name=blocks.example.org", "--server-socket=/csi-2/csi.sock"])
    equal(release.flags("Deployment", "rel-fairlead-controller", "external-provisioner-2")["csi-address"], "/csi-2/csi.sock")
    assert "enable-capacity" in release.flags("Deployment", "rel-fairlead-controller", "external-provisioner-2")
    # Without folders of the host the controller keeps to the Pod Security Standard "restricted".
    pod = release.pod("Deployment", "rel-fairlead-controller")
    assert pod["securityContext"]["runAsNonRoot"] and not pod["hostNetwork"]
    assert all({"emptyDir", "secret", "projected", "configMap"} & set(v) for v in pod["volumes"])
    assert not any({"runAsUser", "runAsNonRoot"} & set(c["securityContext"]) or "add" in c["securityContext"]["capabilities"]
                   for c in containers.values())
    equal(release.one("StorageClass", "blocks")["provisioner"], "blocks.example.org")
    # The sidecars may read the Secret that they hand on, and not kubelet's.
    role = release.one("Role", "rel-fairlead-secrets")
    equal(role["rules"][0]["resourceNames"], ["provisioner-secret-blocks-rel-fairlead"])


def node_groups(release, _):
    equal(release.names("DaemonSet"), ["rel-fairlead-node", "rel-fairlead-node-z1", "rel-fairlead-node-z2"])
    selectors = [str(t["spec"]["selector"]["matchLabels"]) for t in release.all("DaemonSet")]
    equal(len(set(selectors)), 3)
    terms = release.pod("DaemonSet", "rel-fairlead-node")["affinity"]["nodeAffinity"][
        "requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    nodes = [{"topology.kubernetes.io/zone": zone, "rack": rack, "kubernetes.io/arch": "amd64"}
             for zone in ("z1", "z2", "z3") for rack in ("known", "none")]
    own = [n for n in nodes if any(all(n.get(e["key"]) in e["values"] if e["operator"] == "In"
                                       else n.get(e["key"]) not in e["values"] for e in t["matchExpressions"])
                                   for t in terms if "matchFields" not in t)]
    equal([(n["topology.kubernetes.io/zone"], n["rack"]) for n in own],
          [("z2", "none"), ("z3", "known"), ("z3", "none")])
    assert all("matchFields" not in t or len(t["matchExpressions"]) == 2 for t in terms)
    z2 = release.containers("DaemonSet", "rel-fairlead-node-z2")["csi-driver"]
    assert {"name": "ZONE", "value": "z2"} in z2["env"]
    equal([m.get("readOnly", False) for m in z2["volumeMounts"] if m["name"].startswith("host-")], [True, False])
    equal(release.main_file("rel-fairlead-node-config")["fairlead"]["node"]["hostPathRoots"], ["/srv/z2"])
    # A rule reads labels, so the node may read its Node, and nothing else.
    equal(release.rules("rel-fairlead-node-labels"), {"nodes"})
    equal(release.pod("DaemonSet", "rel-fairlead-node-z1")["nodeSelector"]["disks"], "fast")


def existing_secret(release, _):
    equal(release.names("Secret"), [])
    volumes = {v["name"]: v for v in release.pod("Deployment", "rel-fairlead-controller")["volumes"]}
    equal((volumes["config"]["secret"]["secretName"], volumes["connections"]["secret"]["secretName"]),
          ("main-file", "connection-files"))
    mounts = release.containers("Deployment", "rel-fairlead-controller")["csi-driver"]["volumeMounts"]
    equal([m["mountPath"] for m in mounts if m["name"] == "connections"], ["/mnt/connections"])
    node = {v["name"]: v for v in release.pod("DaemonSet", "rel-fairlead-node")["volumes"]}
    equal(node["config"]["secret"]["secretName"], "main-file-of-nodes")
    # What is off has no permissions.
    equal(release.names("ClusterRole"), ["rel-fairlead-provisioner"])
    equal(release.names("Role"), [])
    assert "volumesnapshots" not in release.rules("rel-fairlead-provisioner")
    equal(release.one("Deployment", "rel-fairlead-controller")["spec"]["strategy"], {"type": "Recreate"})


def everything(release, _):
    for kind in ("PodDisruptionBudget", "NetworkPolicy", "ServiceMonitor"):
        equal(len(release.all(kind)), 1)
    equal(release.names("ConfigMap"), ["rel-more", "storage", "storage-text"])
    driver = release.containers("Deployment", "storage-controller")["csi-driver"]
    assert driver["image"].startswith("registry.example.org/storage/fairlead@sha256:"), driver["image"]
    flags = release.flags("Deployment", "storage-controller", "external-provisioner")
    equal((flags["v"], flags["capacity-poll-interval"], flags["default-fstype"], flags["capacity-ownerref-level"]),
          ("4", "30s", "rel", "2"))
    equal((flags["strict-topology"], flags["immediate-topology"]), ("false", "true"))
    provisioner = release.containers("Deployment", "storage-controller")["external-provisioner"]
    equal(provisioner["image"], "mirror.example.org/sig-storage/csi-provisioner:v6.3.0")
    node = release.containers("DaemonSet", "storage-node")["csi-driver"]
    assert "--registration-dir=/var/snap/kubelet/plugins_registry" in node["args"]
    assert "replicasets" in release.rules("storage-capacity")
    assert {"name": "NODE_EXTRA_CA_CERTS", "value": "/tmp/certs/extra-ca-certs.crt"} in driver["env"]
    assert not any(e["name"] == "NODE_EXTRA_CA_CERTS" for e in node["env"])
    assert "--startup-taint=all.example.org/agent-not-ready" in node["args"]
    pod = release.pod("DaemonSet", "storage-node")
    equal(pod["tolerations"], [{"key": "a", "operator": "Exists"},
                               {"key": "all.example.org/agent-not-ready", "operator": "Exists"}])
    equal(release.verbs("storage-node-taint"), {"nodes": ["get", "patch"], "csinodes": ["get"]})
    # The hook has its time on top of what ending takes.
    equal(node["lifecycle"]["preStop"]["exec"]["command"], [
        "/usr/bin/fairlead", "drain-wait", "--kubelet-dir=/var/snap/kubelet", "--timeout=90", "--csi-name=all.example.org"])
    assert "postStart" in node["lifecycle"]
    equal(pod["terminationGracePeriodSeconds"], 150)
    equal(release.verbs("storage-node-drain"), {"nodes": ["get"]})
    assert "--kubernetes-claim-events" in node["args"] and "--kubernetes-events" not in node["args"]
    equal(release.verbs("storage-node-claims"), {"persistentvolumes": ["get", "list"], "events": ["create", "patch"]})
    lease = [r for r in release.one("Role", "storage-driver")["rules"] if r["resources"] == ["leases"]]
    equal(sorted(lease[1]["resourceNames"]), ["storage-controller"])
    assert "--leader-election-lease=storage-controller" in driver["args"]
    tenants = [t for t in release.all("Role") if t["metadata"]["namespace"] == "tenants"]
    equal([t["rules"][0]["resources"] for t in tenants], [["secrets"]])
    services = {t["metadata"]["name"] for t in release.all("Service")}
    equal(services, {"storage-controller-metrics", "storage-node-metrics"})
    monitored = {e["port"] for e in release.one("ServiceMonitor", "storage")["spec"]["endpoints"]}
    offered = {p["name"] for t in release.all("Service") for p in t["spec"]["ports"]}
    equal(monitored, offered)


def democratic_csi_proxy(release, _):
    flags = release.flags("Deployment", "rel-fairlead-controller", "external-provisioner")
    equal((flags["feature-gates"], flags["strict-topology"], flags["immediate-topology"]),
          ("Topology=true", "true", "false"))
    mounts = release.containers("Deployment", "rel-fairlead-controller")["csi-driver"]["volumeMounts"]
    equal([m["mountPath"] for m in mounts if m["name"] == "connections"], ["/mnt/connections"])
    assert "rel-fairlead-connections" not in release.names("Secret")
    equal(release.main_file("rel-fairlead-driver-config"),
          {"driver": "proxy", "proxy": {"configFolder": "/mnt/connections/"}})
    equal(list(release.containers("DaemonSet", "rel-fairlead-node")), ["csi-driver"])


def democratic_csi_every_key(release, _):
    # Under the old name all objects have the names, selectors and Secrets that they had.
    deployment = release.one("Deployment", "rel-democratic-csi-controller")
    equal(deployment["spec"]["selector"]["matchLabels"], {
        "app.kubernetes.io/name": "democratic-csi", "app.kubernetes.io/instance": "rel",
        "app.kubernetes.io/managed-by": "Helm", "app.kubernetes.io/csi-role": "controller",
        "app.kubernetes.io/component": "controller-linux"})
    assert "node-stage-secret-nfs-rel-democratic-csi" in release.names("Secret")
    equal(release.one("StorageClass", "nfs")["parameters"]["csi.storage.k8s.io/node-stage-secret-name"],
          "node-stage-secret-nfs-rel-democratic-csi")
    flags = release.flags("Deployment", "rel-democratic-csi-controller", "external-resizer")
    equal((flags["timeout"], flags["workers"], flags["v"], flags["csi-address"]), ("90s", "10", "5", "/csi/csi.sock"))
    images = [c["image"] for c in release.pod("Deployment", "rel-democratic-csi-controller")["containers"]]
    equal(images, ["fairlead:" + app_version(), "registry.k8s.io/sig-storage/csi-attacher:v4.4.0",
                   "registry.k8s.io/sig-storage/csi-provisioner:v3.6.0", "registry.k8s.io/sig-storage/csi-resizer:v1.9.0",
                   "registry.k8s.io/sig-storage/csi-snapshotter:v8.2.1"])


def democratic_csi_local(release, _):
    containers = release.containers("DaemonSet", "rel-fairlead-node")
    equal(list(containers), ["csi-driver", "external-provisioner", "external-snapshotter"])
    equal(release.all("Deployment"), [])
    equal(release.main_file("rel-fairlead-node-config")["local-hostpath"]["shareBasePath"], "/var/lib/csi-local-hostpath")


def affinity(release, _):
    affinity_cases.beside_the_driver(release)


def linstor_affinity_controller(release, _):
    affinity_cases.every_row(release)


def csi_driver(release, namespace, attach=False):
    return {"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver",
            "metadata": {"name": "csi.fairlead.dev", "labels": {"app.kubernetes.io/managed-by": "Helm"}, "annotations": {
                "meta.helm.sh/release-name": release, "meta.helm.sh/release-namespace": namespace} if release else {}},
            "spec": {"attachRequired": attach, "podInfoOnMount": False}}


def namespace(level):
    return {"apiVersion": "v1", "kind": "Namespace",
            "metadata": {"name": "storage", "labels": {"pod-security.kubernetes.io/enforce": level} if level else {}}}


def checks(chart, installed):
    """Cases that need no file: what, and how it is looked at."""
    def install(objects, expected, *arguments):
        return lambda: installed(chart, objects, expected, *arguments)

    yield "installs and says the next step", lambda: notes(installed(chart, [namespace(None)], ""))
    yield "tells what has no effect", lambda: without_effect(installed(
        chart, [], "", "--set", "csiDriver.version=1.5.0,node.cleanup.image.tag=1,controller.driver.image.tag=latest"))
    yield "refuses a name of another release", install(
        [csi_driver("other", "elsewhere")], "csi.fairlead.dev belongs to the release other of the namespace elsewhere")
    yield "refuses a name of the same release elsewhere", install(
        [csi_driver("rel", "elsewhere")], "belongs to the release rel of the namespace elsewhere")
    yield "refuses a name of another release here", install(
        [csi_driver("other", "storage")], "belongs to the release other of the namespace storage")
    yield "upgrades over its own name", install([csi_driver("rel", "storage")], "")
    yield "refuses a name that nobody owns", install([csi_driver(None, None)], "no Helm release owns it")
    yield "refuses to change attachRequired", install(
        [csi_driver("rel", "storage", True)], "kubectl delete csidriver csi.fairlead.dev",
        "--set", "csiDriver.attachRequired=false")
    yield "keeps attachRequired", lambda: kept(
        installed(chart, [csi_driver("rel", "storage", True)], ""))
    yield "publishes volumes where the main file closes them", lambda: publishing(chart)
    yield "refuses a namespace that admits no privileged pod", install(
        [namespace("restricted")], 'enforces the Pod Security Standard "restricted"')
    yield "installs into a privileged namespace", install([namespace("privileged")], "")
    yield "asks before it is uninstalled", lambda: uninstall(chart, installed)
    yield "asks nobody where that was said", lambda: forced(chart, installed)
    yield "changes Nodes and waits for them only where that was said", lambda: opt_in(chart)
    yield "listens by HTTP where kubelet probes, and no further unless that was said", lambda: addresses(chart)
    yield "shows the host's NVMe name where it is used", lambda: nvme(chart)
    yield "owns the folders of the host that their values bring", lambda: folders(chart)
    yield "leaves snapshots out where the cluster has none", lambda: no_snapshots(chart)
    yield "an upgrade of the chart leaves selectors as they are", lambda: stable(chart)
    yield "editing a connection restarts nothing", lambda: live(chart)
    yield from affinity_cases.checks(chart, installed, Release)
    yield "the image is that of the version here", lambda: equal(
        app_version(), re.search("<version>(.*?)</version>", (chart_folder().parents[1] / "pom.xml").read_text())[1])
    yield "the values table is that of values.yaml", lambda: table(chart)


def publishing(chart):
    release = Release(chart.render("--set", "driver.config.driver=proxy,driver.config.fairlead.publish=nodes"))
    equal(release.one("CSIDriver", "csi.fairlead.dev")["spec"]["attachRequired"], True)
    assert "external-attacher" in release.containers("Deployment", "rel-fairlead-controller")
    env = {e["name"]: e for e in release.containers("DaemonSet", "rel-fairlead-node")["csi-driver"]["env"]}
    equal(env["CSI_NODE_ADDRESS"]["valueFrom"], {"fieldRef": {"fieldPath": "status.hostIP"}})


def uninstall(chart, installed):
    release = Release(chart.render("-f", str(chart_folder() / "ci/several-names-values.yaml")), hooks=True)
    name = "rel-fairlead-uninstall-check"
    equal(sorted(t["kind"] for t in release.things), ["ClusterRole", "ClusterRoleBinding", "Job", "ServiceAccount"])
    for thing in release.things:
        annotations = thing["metadata"]["annotations"]
        equal(annotations["helm.sh/hook"], "pre-delete")
        policy = annotations["helm.sh/hook-delete-policy"].split(",")
        # One that refused stays, to be read; what it was allowed goes with it.
        equal(policy, ["before-hook-creation", "hook-succeeded"] + ([] if thing["kind"] == "Job" else ["hook-failed"]))
        equal(annotations["helm.sh/hook-weight"], "0" if thing["kind"] == "Job" else "-1")
    equal(release.verbs(name), {"persistentvolumes": ["list"], "volumesnapshotcontents": ["list"]})
    # The Pod Security Standard "restricted".
    pod = release.pod("Job", name)
    assert pod["securityContext"]["runAsNonRoot"] and not pod["hostNetwork"]
    assert all({"emptyDir", "projected"} & set(v) for v in pod["volumes"])
    equal(pod["containers"][0]["args"], [
        "uninstall-check", "--csi-name=files.example.org", "--csi-name=blocks.example.org",
        "--release=rel", "--namespace=storage", "--revision=1"])
    assert "helm uninstall is refused" in notes_of(installed(chart, [], ""))


def forced(chart, installed):
    for switch in ("uninstall.force=true", "controller.rbac.enabled=false"):
        assert not Release(chart.render("--set", switch), hooks=True).things, switch
        assert "Before uninstalling" in notes_of(installed(chart, [], "", "--set", switch)), switch


def notes_of(text):
    return text.split("NOTES:")[1]


def opt_in(chart):
    plain = Release(chart.render())
    assert not any("nodes" in rule["resources"] and "patch" in rule["verbs"]
                   for t in plain.all("ClusterRole") for rule in t["rules"])
    assert not any(subject["name"] == "rel-fairlead-node"
                   for t in plain.all("ClusterRoleBinding") for subject in t["subjects"])
    node = plain.containers("DaemonSet", "rel-fairlead-node")["csi-driver"]
    assert "lifecycle" not in node and not any("taint" in a for a in node["args"])
    equal(plain.pod("DaemonSet", "rel-fairlead-node")["terminationGracePeriodSeconds"], 60)
    # A group alone, under a key of its own.
    group = Release(chart.render(
        "--set", "nodeGroups[0].name=z1,nodeGroups[0].nodeSelector.zone=z1,nodeGroups[0].startupTaint.enabled=true",
        "--set", "nodeGroups[0].startupTaint.key=mine"))
    args = {t["metadata"]["name"]: t["spec"]["template"]["spec"]["containers"][0]["args"] for t in group.all("DaemonSet")}
    equal({name: [a for a in given if "taint" in a] for name, given in args.items()},
          {"rel-fairlead-node": [], "rel-fairlead-node-z1": ["--startup-taint=mine"]})
    equal(group.verbs("rel-fairlead-node-taint"), {"nodes": ["get", "patch"], "csinodes": ["get"]})


def addresses(chart):
    def listening(kind, name, *sets):
        driver = Release(chart.render(*(word for s in sets for word in ("--set", s)))).containers(kind, name)["csi-driver"]
        hosts = {driver[p]["httpGet"].get("host") for p in ("startupProbe", "livenessProbe", "readinessProbe")}
        return [a for a in driver["args"] if a.startswith("--http-endpoint=")], hosts
    node = "DaemonSet", "rel-fairlead-node"
    controller = "Deployment", "rel-fairlead-controller"
    monitor = "metrics.serviceMonitor.enabled=true"
    equal(listening(*node), (["--http-endpoint=127.0.0.1:9810"], {"127.0.0.1"}))
    equal(listening(*node, monitor), (["--http-endpoint=[$(POD_IP)]:9810"], {None}))
    equal(listening(*node, "node.hostNetwork=false"), (["--http-endpoint=:9810"], {None}))
    equal(listening(*node, "node.httpAddress=0.0.0.0"), (["--http-endpoint=0.0.0.0:9810"], {None}))
    equal(listening(*node, "node.httpAddress=fd00::1"), (["--http-endpoint=[fd00::1]:9810"], {"fd00::1"}))
    equal(listening(*controller), (["--http-endpoint=:9809"], {None}))
    equal(listening(*controller, "controller.hostNetwork=true"), (["--http-endpoint=127.0.0.1:9809"], {"127.0.0.1"}))
    env = Release(chart.render("--set", monitor)).containers(*node)["csi-driver"]["env"]
    assert {"name": "POD_IP", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}} in env


def nvme(chart):
    def shown(*arguments):
        release = Release(chart.render(*arguments))
        mounts = release.containers("DaemonSet", "rel-fairlead-node")["csi-driver"]["volumeMounts"]
        volumes = {v["name"]: v.get("hostPath") for v in release.pod("DaemonSet", "rel-fairlead-node")["volumes"]}
        return [(m.get("readOnly"), volumes[m["name"]]) for m in mounts if m["mountPath"] == "/etc/nvme"]
    usual = [(True, {"path": "/etc/nvme", "type": "DirectoryOrCreate"})]
    equal(shown(), [])
    equal(shown("--set", "connections.files.nas.driver=zfs-generic-nvmeof"), usual)
    equal(shown("--set", "connections.files.nas=driver: zfs-generic-nvmeof"), usual)
    equal(shown("--set", "connections.files.nas.driver=zfs-generic-iscsi"), [])
    equal(shown("--set", "driver.config.driver=zfs-generic-nvmeof"), usual)
    equal(shown("--set", "driver.config.driver=proxy,driver.config.proxy.nodeId.parts.nqn=true"), usual)
    equal(shown("--set", "node.driver.nvmeDirMountEnabled=true,node.driver.nvmeDirHostPath=/var/etc/nvme,"
                         "node.driver.nvmeDirHostPathType=Directory"),
          [(True, {"path": "/var/etc/nvme", "type": "Directory"})])
    equal(shown("--set", "connections.files.nas.driver=zfs-generic-nvmeof,node.driver.nvmeDirMountEnabled=false"), [])
    # Values that mount it themselves go on as they are.
    equal(shown("--set", "connections.files.nas.driver=zfs-generic-nvmeof,node.hostPaths[0].path=/etc/nvme"),
          [(None, {"path": "/etc/nvme", "type": "DirectoryOrCreate"})])


def folders(chart):
    def user(values):
        security = Release(chart.render("-f", str(values), "--set", "nameOverride=democratic-csi")).containers("Deployment", "rel-democratic-csi-controller")[
            "csi-driver"]["securityContext"]
        return security.get("runAsUser"), security["capabilities"].get("add", [])
    swap = chart_folder().parents[1] / "lab/swap.d/values.yaml"
    equal(user(swap), (0, ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID"]))
    equal(user(chart_folder() / "ci/democratic-csi-every-key-values.yaml"), (None, []))


def notes(text):
    assert "NEXT: give it a connection" in text and "NEXT: a StorageClass" in text, text[-3000:]
    assert "Without snapshots" in text, text[-3000:]


def without_effect(text):
    for words in ("csiDriver.version:", "node.cleanup:", "controller.driver.image:"):
        assert words in text.split("NOTES:")[1], text[-2000:]


def kept(text):
    assert "attachRequired: true" in text and "external-attacher" in text, text


def no_snapshots(chart):
    release = Release(chart.render(snapshots=False))
    assert "external-snapshotter" not in release.containers("Deployment", "rel-fairlead-controller")
    assert "volumesnapshots" not in release.rules(*release.names("ClusterRole"))


def stable(chart):
    plain = Release(chart.render())
    other = Release(chart.render("--set", "controller.replicaCount=3,image.tag=v9,csiDriver.podInfoOnMount=true"))
    for kind, name in (("Deployment", "rel-fairlead-controller"), ("DaemonSet", "rel-fairlead-node")):
        equal(other.one(kind, name)["spec"]["selector"], plain.one(kind, name)["spec"]["selector"])


def live(chart):
    def pods(*arguments):
        return [t["spec"]["template"] for t in chart.render(*arguments) if t["kind"] in ("Deployment", "DaemonSet")]
    equal(pods("--set", "connections.files.a.driver=nfs-client"), pods())
    assert pods("--set", "driver.config.instance_id=x") != pods()


def table(chart):
    values = yaml.safe_load(chart.run("show", "values", str(chart_folder())).stdout)
    page = (chart_folder().parents[1] / "docs/operate/install.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `([A-Za-z.\[\]]+)`", page, re.M))
    there = set(leaves(values, ""))
    missing = {key for key in there if key not in listed and not any(key.startswith(f"{k}.") for k in listed)}
    equal((sorted(missing), sorted(k for k in listed if not exists(values, k))), ([], []))


def leaves(value, path):
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from leaves(item, f"{path}.{key}" if path else key)
    else:
        yield path


def exists(values, key):
    for part in key.split("."):
        if not isinstance(values, dict) or part not in values:
            return False
        values = values[part]
    return True


def chart_folder():
    return pathlib.Path(__file__).resolve().parents[2] / "deploy" / "chart"


def app_version():
    return yaml.safe_load((chart_folder() / "Chart.yaml").read_text(encoding="utf-8"))["appVersion"]
