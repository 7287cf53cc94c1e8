package dev.fairlead.bootstrap.driver;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.topology.TopologyLabels;
import dev.fairlead.domain.topology.TopologySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the topology from which a connection's storage is reachable: {@code proxy.perDriver.topology} of its file. */
final class PlacementReader {
    private static final String KEY = "topology";

    private final Locality locality;

    PlacementReader(Locality locality) {
        this.locality = locality;
    }

    Placement read(DriverType type, ConfigNode file) {
        ConfigNode perDriver = file.child("proxy").child("perDriver");
        perDriver.ignore("nodeIdType", "nodeIdMap", "nodeIdTemplate");
        if (perDriver.has(KEY)) {
            return within(perDriver);
        }
        if (!type.nodeLocal()) {
            return Placement.ANYWHERE;
        }
        if (locality.perNode()) {
            return ofThisNode(file);
        }
        file.problems()
                .error(
                        file.pathOf("driver"),
                        file.lineOf("driver"),
                        type.name() + " keeps volumes on one node, and nothing says on which",
                        "set proxy.nodeTopology.type: node in the main file, or proxy.perDriver.topology here");
        return Placement.UNKNOWN;
    }

    private Placement ofThisNode(ConfigNode file) {
        Optional<String> node = locality.nodeName();
        if (node.isEmpty()) {
            file.problems()
                    .error(
                            file.pathOf("driver"),
                            file.lineOf("driver"),
                            "this storage is the node's own, and this process does not know its node",
                            "set the environment variable CSI_NODE_ID to the node's name");
            return Placement.UNKNOWN;
        }
        Optional<String> problem = TopologyLabels.valueProblem(node.get());
        if (problem.isPresent()) {
            file.problems().error("", 0, "the node's name cannot be a label: " + problem.get(), "set CSI_NODE_ID");
            return Placement.UNKNOWN;
        }
        TopologySegment here = locality.prefix().segment(Map.of("node", node.get()));
        return new Placement.Within(List.of(new Placement.Place(here, TopologySegment.of(Map.of()))));
    }

    private Placement within(ConfigNode perDriver) {
        List<Placement.Place> places = new ArrayList<>();
        for (ConfigNode entry : perDriver.children(KEY)) {
            place(entry).ifPresent(places::add);
        }
        if (places.isEmpty() && !perDriver.problems().hasErrors()) {
            perDriver
                    .problems()
                    .error(
                            perDriver.pathOf(KEY),
                            perDriver.lineOf(KEY),
                            "names no place, so no volume could be reached from anywhere",
                            "add a place with its requirements, or remove the key for everywhere");
        }
        return new Placement.Within(places);
    }

    private Optional<Placement.Place> place(ConfigNode entry) {
        Map<String, String> requirements = entry.stringMap("requirements");
        Map<String, String> extra = entry.stringMap("extra");
        boolean bad = false;
        if (requirements.isEmpty()) {
            entry.problems()
                    .error(
                            entry.path(),
                            entry.line(),
                            "has no requirements",
                            "name at least one short key and its value, such as zone: zone1");
            bad = true;
        }
        ConfigNode extraNode = entry.child("extra");
        for (Map.Entry<String, String> label : extra.entrySet()) {
            Optional<String> why = TopologyLabels.foreignKeyProblem(label.getKey())
                    .or(() -> TopologyLabels.valueProblem(label.getValue()));
            if (why.isPresent()) {
                entry.problems()
                        .error(
                                extraNode.pathOf(label.getKey()),
                                extraNode.lineOf(label.getKey()),
                                why.get(),
                                "write a full label, such as example.com/rack: r1");
                bad = true;
            }
        }
        Optional<TopologySegment> segment = segment(entry, requirements);
        return bad
                ? Optional.empty()
                : segment.map(required -> new Placement.Place(required, TopologySegment.of(extra)));
    }

    private Optional<TopologySegment> segment(ConfigNode entry, Map<String, String> requirements) {
        ConfigNode node = entry.child("requirements");
        boolean bad = false;
        for (Map.Entry<String, String> label : requirements.entrySet()) {
            Optional<String> why = TopologyLabels.keyProblem(locality.prefix().key(label.getKey()))
                    .or(() -> TopologyLabels.valueProblem(label.getValue()));
            if (why.isPresent()) {
                entry.problems()
                        .error(
                                node.pathOf(label.getKey()),
                                node.lineOf(label.getKey()),
                                why.get(),
                                "use the short key and the value that the nodes report");
                bad = true;
            }
        }
        if (bad) {
            return Optional.empty();
        }
        try {
            return Optional.of(locality.prefix().segment(requirements));
        } catch (IllegalArgumentException e) {
            String why = e.getMessage();
            entry.problems().error(node.path(), node.line(), why == null ? "is malformed" : why, "keep one of them");
            return Optional.empty();
        }
    }
}
