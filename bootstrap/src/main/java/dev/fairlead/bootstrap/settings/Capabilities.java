package dev.fairlead.bootstrap.settings;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Suggestion;
import dev.fairlead.application.port.in.DriverProfile;
import dev.fairlead.application.port.in.DriverProfile.Controller;
import dev.fairlead.application.port.in.DriverProfile.Expansion;
import dev.fairlead.application.port.in.DriverProfile.Node;
import dev.fairlead.application.port.in.DriverProfile.Service;
import dev.fairlead.bootstrap.driver.DriverType;
import dev.fairlead.bootstrap.driver.Publishing;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Holds the capabilities that the process advertises under every CSI name: those of its driver types, or those of the
 * main file.
 */
public record Capabilities(
        Set<Service> services, Set<Expansion> expansion, Set<Controller> controller, Set<Node> node) {
    public Capabilities {
        services = Set.copyOf(services);
        expansion = Set.copyOf(expansion);
        controller = Set.copyOf(controller);
        node = Set.copyOf(node);
    }

    /**
     * Returns the capabilities that these types have together.
     *
     * <p>Volumes on a node's own storage are expanded by that node, since the resizer asks the controller beside it,
     * which may be on another node. So the controller of a driver with only such volumes does not offer the expansion.
     * That of a proxy does, since other connections may need it, and it leaves those volumes to their nodes.
     *
     * <p>Mount groups are offered only if every type takes them: kubelet then changes no volume's group itself.
     */
    static Capabilities of(Collection<DriverType> types, boolean proxy) {
        Set<Controller> controller = EnumSet.noneOf(Controller.class);
        Set<Node> node = EnumSet.noneOf(Node.class);
        boolean anyLocal = false;
        boolean groups = false;
        for (DriverType type : types) {
            controller.addAll(type.controller());
            node.addAll(type.node());
            anyLocal |= type.nodeLocal();
            groups |= type.groups();
        }
        if (!types.stream().allMatch(type -> type.node().contains(Node.VOLUME_MOUNT_GROUP))) {
            node.remove(Node.VOLUME_MOUNT_GROUP);
        }
        if (anyLocal && !proxy) {
            controller.remove(Controller.EXPAND_VOLUME);
        }
        Set<Service> services = EnumSet.noneOf(Service.class);
        if (proxy || types.stream().anyMatch(DriverType::isAvailable)) {
            services.add(Service.CONTROLLER_SERVICE);
        }
        if (proxy || anyLocal) {
            services.add(Service.VOLUME_ACCESSIBILITY_CONSTRAINTS);
        }
        if (groups) {
            services.add(Service.GROUP_CONTROLLER_SERVICE);
        }
        boolean grows = controller.contains(Controller.EXPAND_VOLUME) || node.contains(Node.EXPAND_VOLUME);
        Set<Expansion> expansion = grows ? Set.of(Expansion.ONLINE) : Set.of();
        return new Capabilities(services, expansion, controller, node);
    }

    /** Returns the same capabilities, with each list of the file's {@code service} block in place of the usual one. */
    Capabilities orAsFileSays(ConfigNode file) {
        ConfigNode service = file.child("service");
        ConfigNode identity = service.child("identity").child("capabilities");
        ConfigNode controllers = service.child("controller").child("capabilities");
        ConfigNode nodes = service.child("node").child("capabilities");
        return new Capabilities(
                list(identity, "service", Service.class, services),
                list(identity, "volume_expansion", Expansion.class, expansion),
                list(controllers, "rpc", Controller.class, publishing(file)),
                list(nodes, "rpc", Node.class, node));
    }

    /**
     * Returns the controller's capabilities, with publishing if the file lets new volumes be closed, since nobody could
     * use them without.
     */
    private Set<Controller> publishing(ConfigNode file) {
        Set<Controller> all = EnumSet.noneOf(Controller.class);
        all.addAll(controller);
        if (file.child("fairlead")
                .optional(Publishing.KEY, Publishing::parse, Publishing.EXPECTED)
                .filter(Publishing.NODES::equals)
                .isPresent()) {
            all.add(Controller.PUBLISH_UNPUBLISH_VOLUME);
            all.add(Controller.PUBLISH_READONLY);
        }
        return all;
    }

    /** Returns whether volumes are published to nodes. */
    public boolean publishes() {
        return controller.contains(Controller.PUBLISH_UNPUBLISH_VOLUME);
    }

    private static <E extends Enum<E>> Set<E> list(ConfigNode node, String key, Class<E> type, Set<E> ours) {
        if (!node.has(key)) {
            return ours;
        }
        List<String> known =
                Arrays.stream(type.getEnumConstants()).map(Enum::name).toList();
        Set<E> chosen = EnumSet.noneOf(type);
        for (String name : node.strings(key)) {
            if (known.contains(name)) {
                chosen.add(Enum.valueOf(type, name));
            } else if (!name.equals("UNKNOWN")) {
                node.problems()
                        .warning(
                                node.pathOf(key),
                                node.lineOf(key),
                                name + " is not offered here and not advertised",
                                Suggestion.nearest(name, known)
                                        .map(near -> "did you mean " + near + "?")
                                        .orElse("remove it"));
            }
        }
        return chosen;
    }

    /** Returns the profile of the driver of this name. */
    public DriverProfile profile(String csiName, String version) {
        return new DriverProfile(csiName, version, services, expansion, controller, node);
    }
}
