package dev.fairlead.bootstrap.options;

import dev.fairlead.bootstrap.options.ClusterOptions.Election;
import dev.fairlead.bootstrap.options.ClusterOptions.Pod;
import dev.fairlead.bootstrap.options.ClusterOptions.Taint;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the options that concern Kubernetes. */
final class ClusterCommandLine {
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
    private static final Pattern SUBDOMAIN =
            Pattern.compile("(?=.{1,253}\\z)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");

    private static final Pattern TAINT = Pattern.compile(
            "((?=.{1,253}/)[a-z0-9]([a-z0-9.-]*[a-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");

    private final RawOptions raw;
    private final Map<String, String> environment;

    ClusterCommandLine(RawOptions raw, Map<String, String> environment) {
        this.raw = raw;
        this.environment = environment;
    }

    ClusterOptions options(Set<Mode> modes, String csiName) {
        Optional<Election> election =
                raw.flag("leader-election") ? Optional.of(election(modes, csiName)) : Optional.empty();
        Optional<Pod> events = raw.flag("kubernetes-events") ? Optional.of(pod(modes)) : Optional.empty();
        Optional<String> sources = raw.flag("kubernetes-sources") ? Optional.of(node(modes)) : Optional.empty();
        Optional<String> claims =
                raw.flag("kubernetes-claim-events") ? Optional.of(stagingNode(modes)) : Optional.empty();
        Optional<Taint> taint = raw.last("startup-taint").map(key -> taint(modes, key));
        return new ClusterOptions(election, events, claims, sources, taint);
    }

    private Taint taint(Set<Mode> modes, String key) {
        if (!modes.contains(Mode.NODE)) {
            throw new UsageException("--startup-taint: is a node's (expected: only if the node's half is served)");
        }
        if (!TAINT.matcher(key).matches()) {
            throw new UsageException(
                    "--startup-taint: '" + key + "' (expected: such as csi.example.org/agent-not-ready)");
        }
        String node = variable("CSI_NODE_ID")
                .orElseThrow(() -> new UsageException("--startup-taint: the variable CSI_NODE_ID is not set (expected:"
                        + " spec.nodeName by the downward API)"));
        return new Taint(node, key);
    }

    /**
     * Reads the options of the election; refuses them unless this process serves the controller alone, since a node in
     * standby would serve nobody.
     */
    private Election election(Set<Mode> modes, String csiName) {
        if (!modes.equals(Set.of(Mode.CONTROLLER))) {
            throw new UsageException("--leader-election: is for a controller alone (expected: --csi-mode=controller)");
        }
        Optional<String> namespace = raw.last("leader-election-namespace").or(() -> variable("POD_NAMESPACE"));
        namespace.ifPresent(name -> check(LABEL, "--leader-election-namespace", name));
        String lease = raw.last("leader-election-lease").orElseGet(() -> leaseOf(csiName));
        check(SUBDOMAIN, "--leader-election-lease", lease);
        String candidate = variable("POD_NAME").or(() -> variable("HOSTNAME")).orElse("fairlead");
        return new Election(namespace, lease, candidate);
    }

    /**
     * Returns the name of the Lease for a CSI name, which may have capitals and adjacent marks that an object's name
     * may not have.
     */
    private static String leaseOf(String csiName) {
        return csiName.toLowerCase(Locale.ROOT).replaceAll("-*\\.[.-]*", ".");
    }

    private static void check(Pattern form, String option, String name) {
        if (!form.matcher(name).matches()) {
            throw new UsageException(option + ": '" + name
                    + "' (expected: lower-case letters, digits and '-', letters or digits at both ends)");
        }
    }

    private Pod pod(Set<Mode> modes) {
        if (!modes.contains(Mode.CONTROLLER)) {
            throw new UsageException("--kubernetes-events: a node has no connections to tell of (expected: only if"
                    + " the controller is served)");
        }
        return new Pod(needed("POD_NAMESPACE"), needed("POD_NAME"), needed("POD_UID"));
    }

    /**
     * Returns this node's name for {@code --kubernetes-sources}; refuses the option unless both halves are served. Only
     * a node's own storage can lack content that is elsewhere, and only the node's half knows the node's own topology.
     */
    private String node(Set<Mode> modes) {
        if (!modes.equals(Mode.ALL)) {
            throw new UsageException("--kubernetes-sources: is for storage of the node's own (expected: only if the"
                    + " controller and the node are one process)");
        }
        return variable("CSI_NODE_ID")
                .orElseThrow(() -> new UsageException("--kubernetes-sources: the variable CSI_NODE_ID is not set"
                        + " (expected: spec.nodeName by the downward API)"));
    }

    /** Returns this node's name for {@code --kubernetes-claim-events}; refuses the option unless volumes are staged. */
    private String stagingNode(Set<Mode> modes) {
        if (!modes.contains(Mode.NODE)) {
            throw new UsageException("--kubernetes-claim-events: tells of staged volumes (expected: only if the node's"
                    + " half is served)");
        }
        return variable("CSI_NODE_ID")
                .orElseThrow(() -> new UsageException("--kubernetes-claim-events: the variable CSI_NODE_ID is not set"
                        + " (expected: spec.nodeName by the downward API)"));
    }

    private String needed(String name) {
        return variable(name)
                .orElseThrow(() -> new UsageException("--kubernetes-events: the variable " + name
                        + " is not set (expected: POD_NAME, POD_NAMESPACE and POD_UID by the downward API)"));
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
    }
}
