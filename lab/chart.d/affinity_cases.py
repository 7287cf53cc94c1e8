"""What the chart makes of the process that keeps the affinity of volumes, and what it finds of LINSTOR in the cluster."""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAME = "rel-fairlead-affinity"
ALONE = "affinity.enabled=true,controller.enabled=false,node.enabled=false,csiDriver.enabled=false"


def equal(actual, expected):
    assert actual == expected, f"{actual}\nis not\n{expected}"


def process(release, name=NAME):
    return release.containers("Deployment", name)["affinity"]


def options(release):
    return [a for a in process(release)["args"] if not a.startswith(("--http-endpoint", "--log"))]


def environment(release):
    return {e["name"]: e.get("value", e.get("valueFrom")) for e in process(release)["env"]}


def every_row(release):
    """Nothing of the chart but this, from a values file of LINSTOR's affinity controller."""
    equal((release.names("Deployment"), release.names("DaemonSet"), release.names("Secret")), ([NAME], [], []))
    equal(release.names("CSIDriver"), [])
    deployment = release.one("Deployment", NAME)
    pod = release.pod("Deployment", NAME)
    container = process(release)
    equal(deployment["spec"]["replicas"], 2)
    assert container["image"].startswith("fairlead:"), container["image"]
    equal(container["imagePullPolicy"], "Always")
    equal(pod["imagePullSecrets"], [{"name": "regcred"}])
    equal(options(release), ["affinity", f"--lease={NAME}", "--leader-election=true", "--property-namespace=Aux/topology",
                             "--reconcile-rate=20s", "--resync-rate=15m", "--v=2"])
    env = environment(release)
    equal({k: v for k, v in env.items() if k.startswith("LS_")}, {
        "LS_CONTROLLERS": "https://linstor-controller.piraeus-datastore.svc:3371",
        "LS_USER_CERTIFICATE_FILE": "/etc/fairlead/linstor/tls.crt", "LS_USER_KEY_FILE": "/etc/fairlead/linstor/tls.key",
        "LS_ROOT_CA_FILE": "/etc/fairlead/linstor/ca.crt"})
    equal([v["secret"]["secretName"] for v in pod["volumes"] if "secret" in v], ["linstor-api-tls"])
    equal(container["resources"], {"requests": {"cpu": "50m", "memory": "100Mi"}})
    equal(container["securityContext"], {
        "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}})
    equal((pod["securityContext"]["runAsUser"], pod["securityContext"]["runAsNonRoot"]), (1000, True))
    equal(deployment["spec"]["template"]["metadata"]["annotations"]["example.org/team"], "storage")
    equal(pod["nodeSelector"], {"kubernetes.io/os": "linux", "node-role.kubernetes.io/infra": ""})
    equal(pod["tolerations"], [{"key": "infra", "operator": "Exists"}])
    equal(list(pod["affinity"]), ["nodeAffinity"])
    equal((release.names("ServiceAccount"), pod["serviceAccountName"]), (["linstor-affinity"], "linstor-affinity"))
    equal((release.names("ClusterRole"), release.names("Role")), ([NAME], [NAME, f"{NAME}-lease"]))
    equal(release.names("PodDisruptionBudget"), [NAME])
    equal((release.names("Service"), len(release.all("ServiceMonitor"))), ([f"{NAME}-metrics"], 1))


def beside_the_driver(release):
    equal(options(release), [
        "affinity", "--csi-name=csi.fairlead.dev", "--csi-name=blocks.example.org",
        "--driver-config-file=/etc/fairlead/main/driver-config-file.yaml", f"--lease={NAME}",
        "--limit-percent=10", "--most=20", "--settle=60"])
    env = environment(release)
    equal((env["LS_CONTROLLERS"], env["A"]), ("linstor+ssl://a.example.org,linstor+ssl://b.example.org", "b"))
    equal(env["LS_PASSWORD"], {"secretKeyRef": {"name": "linstor-login", "key": "password"}})
    mounts = {m["name"]: m for m in process(release)["volumeMounts"]}
    equal((mounts["connections"]["mountPath"], env["LS_BEARER_TOKEN_FILE"]),
          ("/etc/fairlead/connections", mounts["linstor-token"]["mountPath"] + "/token"))
    assert all(m.get("readOnly") for name, m in mounts.items() if name != "tmp"), mounts
    # Its own account, and nobody else has what it may do.
    equal(release.pod("Deployment", NAME)["serviceAccountName"], NAME)
    bound = {s["name"] for t in release.all("ClusterRoleBinding") + release.all("RoleBinding")
             if t["roleRef"]["name"] == NAME for s in t["subjects"]}
    equal(bound, {NAME})
    # The Lease by name; no Secret, no right to change a claim, a node or a pod.
    lease = [(r.get("resourceNames"), r["verbs"]) for r in release.one("Role", f"{NAME}-lease")["rules"] if r["resources"] == ["leases"]]
    equal(lease, [(None, ["create"]), ([NAME], ["get", "update"])])
    equal(old_leases(release), [["linstor-affinity-controller"]])
    equal(release.rules(NAME, f"{NAME}-lease"), {"persistentvolumes", "persistentvolumeclaims", "nodes", "volumeattachments",
                                "storageclasses", "events", "configmaps", "leases"})
    changed = {resource for t in release.all("ClusterRole") if t["metadata"]["name"] == NAME for rule in t["rules"]
               if {"create", "update", "patch", "delete"} & set(rule["verbs"]) for resource in rule["resources"]}
    equal(changed, {"persistentvolumes", "events"})


def cluster(name, tls):
    return {"apiVersion": "piraeus.io/v1", "kind": "LinstorCluster", "metadata": {"name": name},
            "spec": {} if tls is None else {"apiTLS": tls}}


def service(namespace, instance, name="linstor-controller"):
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": name, "namespace": namespace, "labels": {
        "app.kubernetes.io/component": "linstor-controller", "app.kubernetes.io/instance": instance}}}


def older(group, namespace, secret):
    return {"apiVersion": group, "kind": "LinstorController", "metadata": {"name": "piraeus-cs", "namespace": namespace},
            "spec": {"linstorHttpsClientSecret": secret} if secret else {}}


def rival(image, replicas):
    return {"apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": {"name": "linstor-affinity-controller", "namespace": "piraeus-datastore"},
            "spec": {"replicas": replicas, "template": {"spec": {"containers": [{"name": "c", "image": image}]}}}}


def checks(chart, installed, release):
    alone = ["--set", ALONE]
    found = [cluster("linstorcluster", None), service("piraeus-datastore", "linstorcluster"),
             service("elsewhere", "another")]

    def endpoint(objects, *arguments):
        text = installed(chart, objects, "", *alone, *arguments)
        hosts = re.findall(r"LS_CONTROLLERS, value: \"(.*?)\"", text)
        secrets = re.findall(r"- name: linstor\n +secret:\n +secretName: (.*)", text)
        return hosts, secrets

    plain = (["http://linstor-controller.piraeus-datastore.svc:3370"], [])
    tls = (["https://linstor-controller.piraeus-datastore.svc:3371"], ["api-tls"])
    yield "the affinity process is off unless it is asked for", lambda: equal(
        [t for t in chart.render() if "affinity" in t["metadata"]["name"]], [])
    yield "finds LINSTOR by its LinstorCluster", lambda: equal(endpoint(found), plain)
    yield "finds LINSTOR's certificates by its LinstorCluster", lambda: (
        equal(endpoint([cluster("linstorcluster", {"clientSecretName": "api-tls"}), found[1]]), tls),
        equal(endpoint([cluster("linstorcluster", {}), found[1]]), (tls[0], ["linstor-client-tls"])))
    yield "takes LINSTOR's endpoint and certificates as they are named", lambda: (
        equal(endpoint(found, "--set", "affinity.linstor.endpoint=http://10.0.0.1:3370"), (["http://10.0.0.1:3370"], [])),
        equal(endpoint(found, "--set", "affinity.linstor.clientSecret=api-tls"), tls),
        equal(endpoint([], "--set", "linstor.endpoint=http://10.0.0.1:3370,linstor.clientSecret=mine"),
              (["http://10.0.0.1:3370"], ["mine"])))
    yield "finds LINSTOR by the LinstorController of older operators", lambda: [
        equal(endpoint([older(group, "storage", secret), older(group, "elsewhere", "no")]), (
            ["http://piraeus-cs.storage.svc:3370"] if not secret else ["https://piraeus-cs.storage.svc:3371"],
            [secret] if secret else []))
        for group in ("piraeus.linbit.com/v1", "linstor.linbit.com/v1") for secret in ("", "api-tls")]
    yield "does not guess which LINSTOR is meant", lambda: [
        installed(chart, objects, expected, *alone) for objects, expected in [
            ([], "affinity.linstor.endpoint: where LINSTOR is cannot be found: the cluster has no LinstorCluster"),
            ([*found, cluster("second", None)], "the cluster has 2 objects LinstorCluster"),
            (found[:1], "the LinstorCluster linstorcluster has 0 Services of its controller"),
            ([*found, service("third", "linstorcluster", "third")], "has 2 Services of its controller")]]
    yield "leaves LINSTOR alone beside connections", lambda: (
        equal("LS_CONTROLLERS" in installed(chart, found, "", "--set", "affinity.enabled=true"), False),
        equal("LS_CONTROLLERS" in installed(
            chart, found, "", "--set", "affinity.enabled=true,affinity.linstor.enabled=true"), True))
    yield "refuses to replace volumes beside LINSTOR's own controller", lambda: [
        installed(chart, [*found, rival(image, replicas)], expected, *alone) for image, replicas, expected in [
            ("quay.io/piraeusdatastore/linstor-affinity-controller:v1.5.0", 1, "stop it first"),
            ("linstor-affinity-controller@sha256:00", 2, "stop it first"),
            ("quay.io/piraeusdatastore/linstor-affinity-controller:v1.5.0", 0, ""),
            ("quay.io/example/other:v1.5.0", 1, "")]]
    yield "tells what of LINSTOR's affinity controller has no effect", lambda: no_effect(installed(
        chart, found, "", *alone, "--set", "image.repository=mirror.example.org/linstor-affinity-controller,image.tag=v1.5.0",
        "--set", "autoscaling.enabled=true,podDisruptionBudget.minAvailable=1"))
    yield "makes no account and no role for the affinity process where that was said", lambda: no_account(release(
        chart.render(*alone, "--set", "affinity.linstor.endpoint=http://l:3370,serviceAccount.create=false,rbac.create=false")))
    yield "holds the Lease that is named", lambda: lease(release(chart.render(
        *alone, "--set", "affinity.linstor.endpoint=http://l:3370,options.leaseLockName=theirs,options.leaseLockNamespace=p")))
    yield "may read the Leases of LINSTOR's own controller, wherever they are", lambda: [
        equal((old, [o for o in options(made) if o.startswith("--old")]), expected) for made, old, expected in [
            (made, old_leases(made), expected) for values, expected in [
                ("affinity.linstor.enabled=true", ([["linstor-affinity-controller"]], [])),
                ("options.oldLease=storage/theirs", ([["theirs"]], ["--old-lease=storage/theirs"])),
                ("options.oldLease={storage/theirs,other/theirs,other/more}", (
                    [["theirs", "more"]],
                    ["--old-lease=storage/theirs", "--old-lease=other/theirs", "--old-lease=other/more"])),
                ("options.oldLease=none", ([], ["--old-lease=none"]))]
            for made in [release(chart.render(*alone, "--set", "affinity.linstor.endpoint=http://l:3370", "--set", values))]]]
    yield "reads no Lease of LINSTOR's own controller where no volume of LINSTOR's follows", lambda: equal(
        old_leases(release(chart.render("--set", "affinity.enabled=true,affinity.linstor.enabled=false"))), [])
    yield "the dashboard asks for metrics that there are", lambda: dashboard(release(chart.render(
        "--set", "metrics.dashboard.enabled=true")))
    yield "refuses what no volumes follow from", lambda: [
        installed(chart, [], expected, "--set", values) for values, expected in [
            ("options.v=2", "affinity.enabled is not true"),
            ("affinity.enabled=true,affinity.connections=false,affinity.linstor.enabled=false", "no volumes would follow"),
            ("affinity.enabled=true,controller.strategy=node,affinity.connections=true", "only volumes of a proxy's connections")]]
    yield "takes the connections' folder from where the values mount it", lambda: mounted(release(chart.render(
        "--set", "affinity.enabled=true,controller.extraVolumes[0].name=c,controller.extraVolumes[0].secret.secretName=mine",
        "--set", "controller.driver.extraVolumeMounts[0].name=c",
        "--set", "controller.driver.extraVolumeMounts[0].mountPath=/etc/fairlead/connections")))


def old_leases(release):
    return [rule["resourceNames"] for rule in release.one("ClusterRole", NAME)["rules"]
            if rule["resources"] == ["leases"] and rule["verbs"] == ["get"]]


def dashboard(release):
    config = release.one("ConfigMap", "rel-fairlead-dashboard")
    equal(config["metadata"]["labels"]["grafana_dashboard"], "1")
    board = json.loads(config["data"]["fairlead.json"])
    asked = set(re.findall(r"fairlead_[a-z_]+", " ".join(t["expr"] for p in board["panels"] for t in p.get("targets", []))))
    page = (ROOT / "docs/operate/metrics.md").read_text(encoding="utf-8")
    there = set(re.findall(r"^\| `(fairlead_[a-z_]+)`", page, re.M))
    equal({name for name in asked if not {name, name.removesuffix("_bucket")} & there}, set())
    # Nothing that the affinity process tells is left out.
    equal({name for name in there if name.startswith("fairlead_affinity_") and not name.endswith("_max")
           and not any(a.startswith(name) for a in asked)}, set())
    places = [(p["gridPos"]["x"], p["gridPos"]["y"]) for p in board["panels"]]
    equal((len(places), len({p["id"] for p in board["panels"]})), (len(set(places)), len(places)))


def no_effect(text):
    notes = text.split("NOTES:")[1]
    for words in ("image: mirror.example.org/linstor-affinity-controller is not Fairlead's, and fairlead:", "autoscaling:",
                  "podDisruptionBudget.minAvailable:"):
        assert words in notes, notes


def no_account(release):
    equal((release.names("ServiceAccount"), release.names("ClusterRole"), release.names("Role")), ([], [], []))
    equal(release.pod("Deployment", NAME)["serviceAccountName"], "default")


def lease(release):
    equal(options(release), ["affinity", "--lease=theirs", "--lease-lock-namespace=p"])
    role = release.one("Role", f"{NAME}-lease")
    equal((role["metadata"]["namespace"], role["rules"][1]["resourceNames"]), ("p", ["theirs"]))


def mounted(release):
    equal([v["secret"]["secretName"] for v in release.pod("Deployment", NAME)["volumes"] if v["name"] == "c"], ["mine"])
    equal([(m["mountPath"], m["readOnly"]) for m in process(release)["volumeMounts"] if m["name"] == "c"],
          [("/etc/fairlead/connections", True)])
