{{- /* What the schema cannot say: values that do not go together, and what is in the cluster already. */ -}}
{{- define "fairlead.checks" -}}
{{- include "fairlead.checkTheirs" . -}}
{{- include "fairlead.checkDrivers" . -}}
{{- include "fairlead.checkConnections" . -}}
{{- include "fairlead.checkController" . -}}
{{- include "fairlead.checkNodes" . -}}
{{- include "fairlead.checkClasses" . -}}
{{- include "fairlead.checkNamespace" . -}}
{{- include "fairlead.checkAffinity" . -}}
{{- end -}}

{{- /* Values of the chart democratic-csi that would have to do something here, and do not. */ -}}
{{- define "fairlead.checkTheirs" -}}
{{- $v := .Values -}}
{{- if dig "windows" "enabled" false $v.node -}}
  {{- fail "node.windows.enabled: there is no node for Windows here: set it to false, and keep democratic-csi for those nodes under another csiDriver.name" -}}
{{- end -}}
{{- if $v.enablePSP -}}
  {{- fail "enablePSP: PodSecurityPolicies ended with Kubernetes 1.25: remove it, and label the namespace pod-security.kubernetes.io/enforce=privileged" -}}
{{- end -}}
{{- if dig "clusterDriverRegistrar" "enabled" false $v.controller -}}
  {{- fail "controller.clusterDriverRegistrar.enabled: the chart makes the CSIDriver object itself: remove it" -}}
{{- end -}}
{{- if dig "externalHealthMonitorController" "enabled" false $v.controller -}}
  {{- fail "controller.externalHealthMonitorController.enabled: Fairlead serves no volume conditions, which CSI 1.13 has removed: remove it" -}}
{{- end -}}
{{- range $part := list "controller" "node" -}}
  {{- if not (dig "driver" "enabled" true (get $v $part)) -}}
    {{- fail (printf "%s.driver.enabled: sidecars without the driver do nothing: set %s.enabled to false instead" $part $part) -}}
  {{- end -}}
{{- end -}}
{{- if not (dig "driverRegistrar" "enabled" true $v.node) -}}
  {{- fail "node.driverRegistrar.enabled: the driver registers itself, and a node that is not registered mounts nothing: remove it" -}}
{{- end -}}
{{- end -}}

{{- define "fairlead.checkDrivers" -}}
{{- $root := . -}}
{{- $names := list -}}
{{- range include "fairlead.drivers" . | fromJsonArray -}}
  {{- $path := ternary "csiDriver" (printf "csiDrivers[%d]" (sub (int .n) 2)) (eq (int .n) 1) -}}
  {{- if has .name $names -}}
    {{- fail (printf "%s.name: %s stands twice: each name is served once" $path .name) -}}
  {{- end -}}
  {{- $names = append $names .name -}}
  {{- if and .attachRequired (eq (toString $root.Values.controller.externalAttacher.enabled) "false") $root.Values.controller.enabled -}}
    {{- fail (printf "%s.attachRequired is true (%s), and controller.externalAttacher.enabled is false: pods would wait for ever to be attached. Remove the latter, or set attachRequired to false" $path (ternary "as the CSIDriver object that is there says" "as the values say" (not (empty .found)))) -}}
  {{- end -}}
  {{- if and (include "fairlead.publishes" $root) (not .attachRequired) -}}
    {{- fail (printf "driver.config.fairlead.publish is nodes, and %s.attachRequired is false (%s): Kubernetes would never publish a volume, and no node could use one. Set attachRequired to true (in a CSIDriver that is there it does not change: with no pod using a volume of it, kubectl delete csidriver %s first), or publish to open" $path (ternary "as the CSIDriver object that is there says" "as the values say" (not (empty .found))) .name) -}}
  {{- end -}}
  {{- if has "Ephemeral" (.volumeLifecycleModes | default list) -}}
    {{- fail (printf "%s.volumeLifecycleModes: Ephemeral volumes never reach a controller and are not served: use a generic ephemeral volume of a StorageClass" $path) -}}
  {{- end -}}
  {{- $flags := include "fairlead.sidecarFlags" (dict "root" $root "driver" . "part" "provisioner") | fromJson -}}
  {{- if and .storageCapacity (eq (get $flags "enable-capacity" | default "true") "false") -}}
    {{- fail (printf "%s.storageCapacity is true, and the provisioner has --enable-capacity=false: the scheduler would find no room anywhere. Set both, or none" $path) -}}
  {{- end -}}
  {{- if and .found (dig "enabled" true .) -}}
    {{- $annotations := dig "metadata" "annotations" dict .found | default dict -}}
    {{- $release := get $annotations "meta.helm.sh/release-name" -}}
    {{- $namespace := get $annotations "meta.helm.sh/release-namespace" -}}
    {{- if not $release -}}
      {{- fail (printf "%s.name: a CSIDriver %s is in the cluster already, and no Helm release owns it. Choose another name. If it is what an earlier installation left: kubectl delete csidriver %s. To take its volumes over, first stop its driver, then: kubectl annotate csidriver %s meta.helm.sh/release-name=%s meta.helm.sh/release-namespace=%s && kubectl label csidriver %s app.kubernetes.io/managed-by=Helm" $path .name .name .name $root.Release.Name $root.Release.Namespace .name) -}}
    {{- else if or (ne $release $root.Release.Name) (ne $namespace $root.Release.Namespace) -}}
      {{- fail (printf "%s.name: %s belongs to the release %s of the namespace %s: two drivers of one name would each take the other's volumes for their own. Choose another name, or uninstall that release" $path .name $release $namespace) -}}
    {{- else if ne (dig "spec" "attachRequired" true .found) .attachRequired -}}
      {{- fail (printf "%s.attachRequired: Kubernetes does not change it in the CSIDriver %s that is there (%t). Leave it out to keep it. To change it, with no pod using a volume of it: kubectl delete csidriver %s, and upgrade again" $path .name (dig "spec" "attachRequired" true .found) .name) -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- end -}}

{{- define "fairlead.checkConnections" -}}
{{- $v := .Values -}}
{{- if and $v.connections.files $v.connections.existingSecret -}}
  {{- fail "connections.files and connections.existingSecret: give one of them: the files of the first would be in no Secret that is mounted" -}}
{{- end -}}
{{- if and (or $v.connections.files $v.connections.existingSecret) (not (include "fairlead.isProxy" .)) -}}
  {{- fail (printf "connections: driver.config.driver is %s, which is itself the one connection: leave connections out, or make the main file a proxy" $v.driver.config.driver) -}}
{{- end -}}
{{- if and $v.connections.files (not (include "fairlead.connectionsSecret" .)) -}}
  {{- fail (printf "connections.files: extraVolumeMounts has a volume at %s already: remove that volume, or connections.files" (include "fairlead.connectionsPath" .)) -}}
{{- end -}}
{{- if and $v.driver.existingConfigSecret (omit ($v.driver.config | default dict) "driver" "proxy") -}}
  {{- fail "driver.config: with driver.existingConfigSecret the main file is that Secret's: leave here only driver (and proxy, where rules or the folder matter to the chart)" -}}
{{- end -}}
{{- if eq $v.controller.strategy "node" -}}
  {{- $files := dict "driver.config" ($v.driver.config | default dict) -}}
  {{- range $name, $file := $v.connections.files -}}
    {{- $_ := set $files (printf "connections.files.%s" $name) (ternary $file (ternary $file "" (kindIs "string" $file) | fromYaml) (kindIs "map" $file)) -}}
  {{- end -}}
  {{- range $path, $file := $files -}}
    {{- range $block := list "httpConnection" "sshConnection" -}}
      {{- if hasKey $file $block -}}
        {{- fail (printf "%s.%s: with controller.strategy node every node has this file, and credentials do not belong there: serve it from a release of its own with strategy deployment" $path $block) -}}
      {{- end -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- end -}}

{{- define "fairlead.checkController" -}}
{{- $v := .Values -}}
{{- $c := $v.controller -}}
{{- if and (gt (int $c.replicaCount) 1) (eq $c.strategy "deployment") (not $c.leaderElection.enabled) -}}
  {{- fail "controller.replicaCount: more than one needs controller.leaderElection.enabled: their locks are each one's own" -}}
{{- end -}}
{{- if and (gt (int $c.replicaCount) 1) (eq $c.strategy "node") -}}
  {{- fail "controller.replicaCount: with controller.strategy node there is one on each node: remove it" -}}
{{- end -}}
{{- if and $v.openshift.enabled $c.enabled (eq $c.strategy "deployment") $c.hostPaths (not $c.rbac.openshift.privileged) -}}
  {{- fail "controller.rbac.openshift.privileged: a controller with controller.hostPaths needs it on OpenShift, since nonroot-v2 has no folders of the host: set it to true" -}}
{{- end -}}
{{- if and (eq $c.strategy "node") $c.enabled (not (or $v.node.enabled $v.nodeGroups)) -}}
  {{- fail "controller.strategy: node puts the controller into the nodes' pods, and node.enabled is false" -}}
{{- end -}}
{{- if and (eq $c.strategy "node") $c.hostPaths -}}
  {{- fail "controller.hostPaths: with controller.strategy node the controller is in the nodes' pods: write them to node.hostPaths" -}}
{{- end -}}
{{- if and (eq $c.strategy "node") $v.metrics.sidecars -}}
  {{- fail "metrics.sidecars: not with controller.strategy node: the sidecars' ports would be the hosts'" -}}
{{- end -}}
{{- end -}}

{{- define "fairlead.checkNodes" -}}
{{- if and (include "fairlead.anyNode" (list . "drainHook")) (hasKey (.Values.node.driver.lifecycle | default dict) "preStop") -}}
  {{- fail "node.driver.lifecycle.preStop: node.drainHook.enabled is that hook: remove one of them" -}}
{{- end -}}
{{- $groups := .Values.nodeGroups -}}
{{- range $i, $a := $groups -}}
  {{- range $j, $b := $groups -}}
    {{- if lt $i $j -}}
      {{- if eq $a.name $b.name -}}
        {{- fail (printf "nodeGroups[%d].name: %s stands twice" $j $a.name) -}}
      {{- end -}}
      {{- $apart := false -}}
      {{- range $key, $value := $a.nodeSelector -}}
        {{- if and (hasKey $b.nodeSelector $key) (ne (get $b.nodeSelector $key) $value) -}}{{- $apart = true -}}{{- end -}}
      {{- end -}}
      {{- if not $apart -}}
        {{- fail (printf "nodeGroups[%d].nodeSelector: a node could be of the groups %s and %s, and two drivers want one socket: select both by one label with different values" $j $a.name $b.name) -}}
      {{- end -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- end -}}

{{- define "fairlead.checkClasses" -}}
{{- $root := . -}}
{{- $names := list -}}
{{- range include "fairlead.drivers" . | fromJsonArray -}}{{- $names = append $names .name -}}{{- end -}}
{{- $secrets := dict -}}
{{- range $kind := list "storageClasses" "volumeSnapshotClasses" -}}
  {{- $seen := list -}}
  {{- range $i, $class := get $root.Values $kind -}}
    {{- if has $class.name $seen -}}
      {{- fail (printf "%s[%d].name: %s stands twice" $kind $i $class.name) -}}
    {{- end -}}
    {{- $seen = append $seen $class.name -}}
    {{- if and $class.driver (not (has $class.driver $names)) -}}
      {{- fail (printf "%s[%d].driver: %s is served by nobody here: csiDriver.name and csiDrivers have %s" $kind $i $class.driver (join ", " $names)) -}}
    {{- end -}}
    {{- range $key, $_ := $class.secrets -}}
      {{- $secret := include "fairlead.classSecretName" (list $root $class $key) -}}
      {{- if hasKey $secrets $secret -}}
        {{- fail (printf "%s[%d].secrets.%s: its Secret would be called %s, as that of %s: names end at 63 characters: shorten the class's name" $kind $i $key $secret (get $secrets $secret)) -}}
      {{- end -}}
      {{- $_ := set $secrets $secret (printf "%s[%d].secrets.%s" $kind $i $key) -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- if and .Values.volumeSnapshotClasses (kindIs "invalid" .Values.controller.externalSnapshotter.enabled) (not (.Capabilities.APIVersions.Has "snapshot.storage.k8s.io/v1")) -}}
  {{- fail "volumeSnapshotClasses: the cluster does not know snapshot.storage.k8s.io/v1: install the snapshot CRDs and the snapshot-controller first, or empty the list. (helm template: add --api-versions snapshot.storage.k8s.io/v1)" -}}
{{- end -}}
{{- end -}}

{{- /* Without this a DaemonSet is made, and never a pod of it, and nobody says why. */ -}}
{{- define "fairlead.checkNamespace" -}}
{{- if or .Values.node.enabled .Values.nodeGroups -}}
  {{- $namespace := lookup "v1" "Namespace" "" .Release.Namespace | default dict -}}
  {{- $level := get (dig "metadata" "labels" dict $namespace | default dict) "pod-security.kubernetes.io/enforce" -}}
  {{- if and $level (ne $level "privileged") -}}
    {{- fail (printf "the namespace %s enforces the Pod Security Standard %q, and the nodes' pods mount for the host: kubectl label namespace %s --overwrite pod-security.kubernetes.io/enforce=privileged, or install into another" .Release.Namespace $level .Release.Namespace) -}}
  {{- end -}}
{{- end -}}
{{- end -}}

{{- /* Values of the chart democratic-csi that were given and mean nothing here, a line each. */ -}}
{{- define "fairlead.withoutEffect" -}}
{{- $v := .Values -}}
{{- $out := list -}}
{{- if hasKey $v.csiDriver "version" -}}{{- $out = append $out "csiDriver.version: the newest CSI is spoken, which older callers understand" -}}{{- end -}}
{{- if hasKey $v "csiProxy" -}}{{- $out = append $out "csiProxy: the driver takes the sidecars' calls as they are" -}}{{- end -}}
{{- if hasKey $v "enablePSP" -}}{{- $out = append $out "enablePSP: ended with Kubernetes 1.25" -}}{{- end -}}
{{- range $part := list "controller" "node" -}}
  {{- if dig "driver" "image" "" (get $v $part) -}}{{- $out = append $out (printf "%s.driver.image: Fairlead's image is image.registry, image.repository and image.tag" $part) -}}{{- end -}}
{{- end -}}
{{- range $key := list "clusterDriverRegistrar" "externalHealthMonitorController" -}}
  {{- if hasKey $v.controller $key -}}{{- $out = append $out (printf "controller.%s: not there, and not needed" $key) -}}{{- end -}}
{{- end -}}
{{- if hasKey $v.node "driverRegistrar" -}}{{- $out = append $out "node.driverRegistrar: the driver registers itself" -}}{{- end -}}
{{- if hasKey $v.node "cleanup" -}}{{- $out = append $out "node.cleanup: the driver removes its registration when it ends" -}}{{- end -}}
{{- if hasKey $v.node "windows" -}}{{- $out = append $out "node.windows: Linux only" -}}{{- end -}}
{{- range $key := list "localtimeHostPath" "iscsiDirHostPath" "iscsiDirHostPathType" -}}
  {{- if hasKey $v.node.driver $key -}}{{- $out = append $out (printf "node.driver.%s: no driver type that is built needs it; node.extraVolumes and node.driver.extraVolumeMounts mount what is missing" $key) -}}{{- end -}}
{{- end -}}
{{- if include "fairlead.theirImage" . -}}{{- $out = append $out (printf "image: %s is not Fairlead's, and %s is run; image.registry, image.repository and image.tag say where it is" .Values.image.repository (include "fairlead.ownImage" .)) -}}{{- end -}}
{{- if get ($v.autoscaling | default dict) "enabled" -}}{{- $out = append $out "autoscaling: one replica leads, and more of them do no more" -}}{{- end -}}
{{- if hasKey ($v.options | default dict) "bindAddress" -}}{{- $out = append $out "options.bindAddress: affinity.httpPort is the port" -}}{{- end -}}
{{- range $key := list "minAvailable" "maxUnavailable" -}}
  {{- if hasKey ($v.podDisruptionBudget | default dict) $key -}}{{- $out = append $out (printf "podDisruptionBudget.%s: one of several may be away at a time, and one alone keeps no node from being emptied" $key) -}}{{- end -}}
{{- end -}}
{{- toJson $out -}}
{{- end -}}
