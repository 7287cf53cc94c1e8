package dev.fairlead.domain.affinity;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * One condition on a node's labels or fields, with the meaning that Kubernetes gives to an expression of a
 * {@code NodeSelectorTerm}.
 *
 * @param onField whether it is about a field of the node, such as {@code metadata.name}, rather than about a label
 * @param operator {@code In}, {@code NotIn}, {@code Exists}, {@code DoesNotExist}, {@code Gt}, {@code Lt}, or one that
 *     is newer than this code
 */
public record NodeRequirement(boolean onField, String key, String operator, List<String> values) {
    static final String IN = "In";
    private static final String NOT_IN = "NotIn";

    public NodeRequirement {
        values = List.copyOf(new TreeSet<>(values));
    }

    static NodeRequirement label(String key, String value) {
        return new NodeRequirement(false, key, IN, List.of(value));
    }

    /** Says whether this condition never holds on a node on which the other does not; false if that cannot be told. */
    boolean implies(NodeRequirement other) {
        if (equals(other)) {
            return true;
        }
        if (onField != other.onField || !key.equals(other.key)) {
            return false;
        }
        return switch (other.operator) {
            case IN -> operator.equals(IN) && other.values.containsAll(values);
            case NOT_IN -> operator.equals(NOT_IN) && values.containsAll(other.values);
            case "Exists" -> operator.equals(IN);
            default -> false;
        };
    }

    /** Says whether it may hold on a node; true if the operator is not known here. */
    boolean mayHold(String node, Map<String, String> labels) {
        boolean present = onField ? key.equals("metadata.name") : labels.containsKey(key);
        String value = onField ? node : labels.getOrDefault(key, "");
        return switch (operator) {
            case IN -> present && values.contains(value);
            case NOT_IN -> !present || !values.contains(value);
            case "Exists" -> present;
            case "DoesNotExist" -> !present;
            default -> true;
        };
    }

    @Override
    public String toString() {
        String subject = onField ? "field " + key : key;
        if (operator.equals(IN) && values.size() == 1) {
            return subject + "=" + values.getFirst();
        }
        return subject + " " + operator + values.stream().collect(Collectors.joining(",", "(", ")"));
    }
}
