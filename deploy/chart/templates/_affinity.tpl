{{- /*
What is said of the affinity process, as JSON: the values below affinity, and over them those that a values file of the chart
linstor-affinity-controller has at its top, by the same names.
*/ -}}
{{- define "fairlead.affinity" -}}
{{- $v := .Values -}}
{{- $a := deepCopy $v.affinity -}}
{{- range $key := list "replicaCount" "options" "linstor" "resources" "securityContext" "podSecurityContext" "podAnnotations" "nodeSelector" "tolerations" "rbac" "serviceAccount" "podDisruptionBudget" -}}
  {{- if hasKey $v $key -}}
    {{- $given := get $v $key -}}
    {{- if and (kindIs "map" $given) (not (eq $key "resources")) -}}
      {{- $given = mergeOverwrite (get $a $key | default dict) (deepCopy $given) -}}
    {{- end -}}
    {{- $_ := set $a $key $given -}}
  {{- end -}}
{{- end -}}
{{- $proxy := and $v.controller.enabled (eq $v.controller.strategy "deployment") (include "fairlead.isProxy" .) -}}
{{- $follow := $a.connections -}}
{{- if kindIs "invalid" $follow -}}{{- $follow = not (empty $proxy) -}}{{- end -}}
{{- $_ := set $a "connections" $follow -}}
{{- /* Beside connections LINSTOR is not looked for unless that was said: its operator has a controller of its own. */ -}}
{{- $l := $a.linstor -}}
{{- if kindIs "invalid" $l.enabled -}}
  {{- $_ := set $l "enabled" (or (not (empty $l.endpoint)) (hasKey $v "linstor") (hasKey $v "options") (not $follow)) -}}
{{- end -}}
{{- if $l.enabled -}}
  {{- $found := include "fairlead.linstorFound" . | fromJson -}}
  {{- $_ := set $l "clientSecret" ($l.clientSecret | default (ternary "" (get $found "clientSecret") (not (empty $l.endpoint)))) -}}
  {{- if not $l.endpoint -}}
    {{- range get $found "hosts" | default list -}}
      {{- $_ := set $l "endpoint" (ternary (printf "https://%s:3371" .) (printf "http://%s:3370" .) (not (empty $l.clientSecret))) -}}
    {{- end -}}
  {{- end -}}
  {{- $_ := set $l "why" (get $found "why") -}}
{{- end -}}
{{- toJson $a -}}
{{- end -}}

{{- /*
What Piraeus' operator says of its LINSTOR, as JSON: hosts, at most one; clientSecret; or why there are none. Of several it
cannot be told which is meant.
*/ -}}
{{- define "fairlead.linstorFound" -}}
{{- $has := .Capabilities.APIVersions -}}
{{- $hosts := list -}}
{{- $secret := "" -}}
{{- $why := "the cluster has no LinstorCluster (helm template sees no cluster)" -}}
{{- if $has.Has "piraeus.io/v1/LinstorCluster" -}}
  {{- $all := (lookup "piraeus.io/v1" "LinstorCluster" "" "").items | default list -}}
  {{- if eq (len $all) 1 -}}
    {{- $cluster := first $all -}}
    {{- $spec := get $cluster "spec" | default dict -}}
    {{- if kindIs "map" (get $spec "apiTLS") -}}{{- $secret = dig "apiTLS" "clientSecretName" "" $spec | default "linstor-client-tls" -}}{{- end -}}
    {{- range (lookup "v1" "Service" "" "").items | default list -}}
      {{- $labels := dig "metadata" "labels" dict . | default dict -}}
      {{- if and (eq (toString (get $labels "app.kubernetes.io/component")) "linstor-controller") (eq (toString (get $labels "app.kubernetes.io/instance")) $cluster.metadata.name) -}}
        {{- $hosts = append $hosts (printf "%s.%s.svc" .metadata.name .metadata.namespace) -}}
      {{- end -}}
    {{- end -}}
    {{- $why = printf "the LinstorCluster %s has %d Services of its controller" $cluster.metadata.name (len $hosts) -}}
    {{- if ne (len $hosts) 1 -}}{{- $hosts = list -}}{{- end -}}
  {{- else -}}
    {{- $why = printf "the cluster has %d objects LinstorCluster" (len $all) -}}
  {{- end -}}
{{- else -}}
  {{- $done := false -}}
  {{- range $group := list "piraeus.linbit.com/v1" "linstor.linbit.com/v1" -}}
    {{- if and (not $done) ($has.Has (printf "%s/LinstorController" $group)) -}}
      {{- $done = true -}}
      {{- $all := (lookup $group "LinstorController" $.Release.Namespace "").items | default list -}}
      {{- $why = printf "the namespace %s has %d objects LinstorController" $.Release.Namespace (len $all) -}}
      {{- if eq (len $all) 1 -}}
        {{- $one := first $all -}}
        {{- $hosts = list (printf "%s.%s.svc" $one.metadata.name $one.metadata.namespace) -}}
        {{- $secret = dig "spec" "linstorHttpsClientSecret" "" $one -}}
      {{- end -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- toJson (dict "hosts" $hosts "clientSecret" $secret "why" $why) -}}
{{- end -}}

{{- define "fairlead.affinityName" -}}
{{- printf "%s-affinity" (include "fairlead.fullname" . | trunc 54 | trimSuffix "-") -}}
{{- end -}}

{{- /* The Lease of LINSTOR's affinity controller, where it is named, keeps the two apart. */ -}}
{{- define "fairlead.affinityLease" -}}
{{- get (include "fairlead.affinity" . | fromJson).options "leaseLockName" | default (include "fairlead.affinityName" .) -}}
{{- end -}}

{{- /* The account: (list root affinity). */ -}}
{{- define "fairlead.affinityAccount" -}}
{{- $account := (index . 1).serviceAccount -}}
{{- $account.name | default (ternary (include "fairlead.affinityName" (index . 0)) "default" $account.create) -}}
{{- end -}}

{{- /* Whose volumes follow, by what is deleted and created anew. It reads the objects that say who uses a volume. */ -}}
{{- define "fairlead.affinityClusterRules" -}}
- apiGroups: [""]
  resources: [persistentvolumes]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [""]
  resources: [persistentvolumeclaims]
  verbs: [get]
- apiGroups: [""]
  resources: [nodes]
  verbs: [get, list]
- apiGroups: [storage.k8s.io]
  resources: [volumeattachments]
  verbs: [list, watch]
- apiGroups: [storage.k8s.io]
  resources: [storageclasses]
  verbs: [get]
- apiGroups: [""]
  resources: [events]
  verbs: [create]
{{- /* By name in every namespace: a Role could not be made where the other controller's namespace is not there. */ -}}
{{- $a := include "fairlead.affinity" . | fromJson -}}
{{- $names := list -}}
{{- if $a.linstor.enabled -}}
  {{- range $lease := include "fairlead.oldLeases" . | fromJsonArray | default (list "piraeus-datastore/linstor-affinity-controller") -}}
    {{- if contains "/" $lease -}}{{- $names = append $names (splitList "/" $lease | last) -}}{{- end -}}
  {{- end -}}
{{- end }}
{{- with uniq $names }}
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  resourceNames: {{ toJson . }}
  verbs: [get]
{{- end }}
{{- end -}}

{{- /* The Leases of options.oldLease, one text or a list, as JSON. */ -}}
{{- define "fairlead.oldLeases" -}}
{{- $given := get (include "fairlead.affinity" . | fromJson).options "oldLease" | default list -}}
{{- toJson (ternary $given (list $given) (kindIs "slice" $given)) -}}
{{- end -}}

{{- /* The objects that replacements begin with are named after their volumes, so no name can be allowed. */ -}}
{{- define "fairlead.affinityRules" -}}
- apiGroups: [""]
  resources: [configmaps]
  verbs: [get, list, create, patch, delete]
{{- end -}}

{{- define "fairlead.affinityLeaseRules" -}}
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  verbs: [create]
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  resourceNames: [{{ include "fairlead.affinityLease" . }}]
  verbs: [get, update]
{{- end -}}

{{- /*
The connections' folder where the values mount it themselves, as JSON: the mount of the controller's there, and its volume.
*/ -}}
{{- define "fairlead.theirConnections" -}}
{{- $path := include "fairlead.connectionsPath" . | trimSuffix "/" -}}
{{- $out := dict -}}
{{- if not (include "fairlead.connectionsSecret" .) -}}
  {{- range $mount := .Values.controller.driver.extraVolumeMounts -}}
    {{- range $.Values.controller.extraVolumes -}}
      {{- if and (eq (trimSuffix "/" $mount.mountPath) $path) (eq .name $mount.name) -}}
        {{- $out = dict "mount" $mount "volume" . -}}
      {{- end -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- toJson $out -}}
{{- end -}}

{{- define "fairlead.checkAffinity" -}}
{{- $v := .Values -}}
{{- $theirs := list -}}
{{- range $key := list "replicaCount" "options" "linstor" "resources" "securityContext" "podSecurityContext" "podAnnotations" "nodeSelector" "tolerations" "rbac" "serviceAccount" "podDisruptionBudget" "autoscaling" "monitoring" -}}
  {{- if hasKey $v $key -}}{{- $theirs = append $theirs $key -}}{{- end -}}
{{- end -}}
{{- if and $theirs (not $v.affinity.enabled) -}}
  {{- fail (printf "%s: known from the chart linstor-affinity-controller, and affinity.enabled is not true: set it, and controller.enabled, node.enabled and csiDriver.enabled to false where nothing else is wanted" (join ", " $theirs)) -}}
{{- end -}}
{{- if $v.affinity.enabled -}}
  {{- $a := include "fairlead.affinity" . | fromJson -}}
  {{- if and $a.linstor.enabled (not $a.linstor.endpoint) -}}
    {{- fail (printf "affinity.linstor.endpoint: where LINSTOR is cannot be found: %s. Set it, as http://linstor-controller.NAMESPACE.svc:3370%s" $a.linstor.why (ternary ", or affinity.linstor.enabled to false" "" $a.connections)) -}}
  {{- end -}}
  {{- if and (not $a.linstor.enabled) (not $a.connections) -}}
    {{- fail "affinity.enabled: no volumes would follow: set affinity.connections (with controller.strategy deployment and a proxy), or affinity.linstor" -}}
  {{- end -}}
  {{- if and $a.connections (not (and $v.controller.enabled (eq $v.controller.strategy "deployment") (include "fairlead.isProxy" .))) -}}
    {{- fail "affinity.connections: only volumes of a proxy's connections follow, with controller.enabled and controller.strategy deployment: what is the node's own, or one driver's own, stays where it is. Set it to false" -}}
  {{- end -}}
  {{- if $a.linstor.enabled -}}{{- include "fairlead.checkRival" . -}}{{- end -}}
{{- end -}}
{{- end -}}

{{- /* Two that delete and create the same volumes undo each other's protection. */ -}}
{{- define "fairlead.checkRival" -}}
{{- range (lookup "apps/v1" "Deployment" "" "").items | default list -}}
  {{- $deployment := . -}}
  {{- if ne (int (dig "spec" "replicas" 1 .)) 0 -}}
    {{- range dig "spec" "template" "spec" "containers" list . -}}
      {{- if regexMatch "(^|/)(piraeus-)?linstor-affinity-controller([:@]|$)" (get . "image" | default "") -}}
        {{- fail (printf "affinity.linstor: the Deployment %s of the namespace %s replaces the same volumes, and nothing keeps two apart: stop it first, and let it finish what it has begun (helm uninstall its release; of Piraeus' operator: affinityController.enabled: false in the LinstorCluster). docs/operate/affinity-linstor.md tells how" $deployment.metadata.name $deployment.metadata.namespace) -}}
      {{- end -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- end -}}

{{- define "fairlead.monitored" -}}
{{- $v := .Values -}}
{{- if or $v.metrics.serviceMonitor.enabled (and $v.affinity.enabled (get ($v.monitoring | default dict) "enabled")) }}true{{ end -}}
{{- end -}}
