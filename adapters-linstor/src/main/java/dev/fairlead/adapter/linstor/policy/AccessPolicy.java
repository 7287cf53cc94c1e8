package dev.fairlead.adapter.linstor.policy;

import dev.fairlead.adapter.linstor.replica.LinstorNode;
import dev.fairlead.domain.affinity.VolumePlacement;
import dev.fairlead.domain.topology.TopologySegment;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Says how far from its replicas a volume may be used: from each node that shares the named properties with a node that
 * has one. The text of a policy is {@code true}, {@code false}, or a list such as {@code [{fromSame:
 * [topology.kubernetes.io/zone]}]}.
 *
 * @param rules the keys that have to be the same, per rule; a rule without keys allows any node
 */
public record AccessPolicy(Set<Set<String>> rules) {
    /** The key by which a node of LINSTOR is named as a label. */
    public static final String HOSTNAME = "linbit.com/hostname";

    /** The policy by which a volume is used where a replica is. */
    public static final AccessPolicy LOCAL = new AccessPolicy(Set.of(Set.of(HOSTNAME)));

    /** The policy by which a volume is used anywhere. */
    public static final AccessPolicy ANYWHERE = new AccessPolicy(Set.of(Set.of()));

    private static final int LONGEST = 16 * 1024;
    private static final int MOST = 64;
    private static final String FROM_SAME = "fromSame";

    public AccessPolicy {
        rules = Set.copyOf(rules);
    }

    /** Reads the text of a policy; empty if it is none, which never means anywhere. */
    public static Optional<AccessPolicy> parse(String text) {
        String plain = text.strip();
        if (plain.equalsIgnoreCase("true")) return Optional.of(ANYWHERE);
        if (plain.equalsIgnoreCase("false")) return Optional.of(LOCAL);
        if (plain.isEmpty() || plain.length() > LONGEST) return Optional.empty();
        try {
            LoaderOptions options = new LoaderOptions();
            options.setMaxAliasesForCollections(0);
            options.setNestingDepthLimit(8);
            options.setAllowDuplicateKeys(false);
            // Only the tree is read, and nothing is made of it: no tag can ask for an object or a conversion.
            return list(new Yaml(options).compose(new StringReader(plain)))
                    .flatMap(AccessPolicy::rules)
                    .map(AccessPolicy::new);
        } catch (RuntimeException _) {
            // A person wrote the text, and the reader's own faults are not worth more than the text.
            return Optional.empty();
        }
    }

    /** Returns the elements of a list of a fair length that has at least one. */
    private static Optional<List<Node>> list(@Nullable Node node) {
        return node instanceof SequenceNode list
                        && list.getTag().equals(Tag.SEQ)
                        && !list.getValue().isEmpty()
                        && list.getValue().size() <= MOST
                ? Optional.of(list.getValue())
                : Optional.empty();
    }

    private static Optional<String> text(Node node) {
        return node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.STR)
                ? Optional.of(scalar.getValue()).filter(text -> !text.isBlank())
                : Optional.empty();
    }

    private static Optional<Set<Set<String>>> rules(List<Node> list) {
        Set<Set<String>> rules = new LinkedHashSet<>();
        for (Node each : list) {
            if (!(each instanceof MappingNode rule) || !rule.getTag().equals(Tag.MAP)) return Optional.empty();
            Optional<Set<String>> keys = keys(rule);
            if (keys.isEmpty()) return Optional.empty();
            rules.add(keys.get());
        }
        return Optional.of(rules);
    }

    /**
     * Returns the keys of a rule that names any; none for a rule that allows any node. An empty list is no clear word
     * for anywhere.
     */
    private static Optional<Set<String>> keys(MappingNode rule) {
        List<NodeTuple> all = rule.getValue();
        if (all.isEmpty()) return Optional.of(Set.of());
        NodeTuple one = all.getFirst();
        boolean known = all.size() == 1
                && text(one.getKeyNode()).filter(FROM_SAME::equals).isPresent();
        Optional<List<Node>> list = list(one.getValueNode()).filter(_ -> known);
        if (list.isEmpty()) return Optional.empty();
        Set<String> keys = new TreeSet<>();
        for (Node each : list.get()) {
            Optional<String> key = text(each);
            if (key.isEmpty()) return Optional.empty();
            keys.add(key.get());
        }
        return Optional.of(keys);
    }

    /** Returns the policy that allows what either allows. */
    public AccessPolicy or(AccessPolicy other) {
        Set<Set<String>> both = new LinkedHashSet<>(rules);
        both.addAll(other.rules);
        return new AccessPolicy(both);
    }

    public boolean isAnywhere() {
        return rules.contains(Set.of());
    }

    /**
     * Returns from where a volume can be used whose replicas are on these nodes. A property that a rule names and that
     * a node lacks narrows to that node: what is not known opens nothing.
     */
    public VolumePlacement from(Collection<LinstorNode> nodes) {
        if (nodes.isEmpty()) return VolumePlacement.within(List.of());
        if (isAnywhere()) return VolumePlacement.anywhere();
        Set<Map<String, String>> found = new LinkedHashSet<>();
        for (LinstorNode node : nodes) {
            for (Set<String> keys : rules) found.add(segment(node, keys));
        }
        List<TopologySegment> general = new ArrayList<>();
        for (Map<String, String> one : found) {
            boolean covered = found.stream()
                    .anyMatch(
                            other -> other.size() < one.size() && one.entrySet().containsAll(other.entrySet()));
            if (!covered) general.add(TopologySegment.of(one));
        }
        return VolumePlacement.within(general);
    }

    private static Map<String, String> segment(LinstorNode node, Set<String> keys) {
        Map<String, String> labels = new TreeMap<>();
        for (String key : keys) {
            Optional<String> value = node.label(key);
            if (value.isEmpty()) return Map.of(HOSTNAME, node.name());
            labels.put(key, value.get());
        }
        return labels;
    }

    @Override
    public String toString() {
        return isAnywhere()
                ? "anywhere"
                : new TreeSet<>(rules.stream().map(Object::toString).toList()).toString();
    }
}
