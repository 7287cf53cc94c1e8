package dev.fairlead.adapter.linstor.replica;

import com.google.gson.JsonObject;
import dev.fairlead.http.Json;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds what the controller knows of a node.
 *
 * @param online whether its satellite answers, so that what is said of its disks is new
 * @param leaving whether its data is being moved away, or was given up
 * @param labels its properties in the namespace of labels, without that namespace, and its name
 */
public record LinstorNode(String name, boolean online, boolean leaving, Map<String, String> labels) {
    private static final String NEWER_NAMESPACE = "Aux/topology";
    private static final String OLDER_NAMESPACE = "Aux";
    private static final String MARK = NEWER_NAMESPACE + "/kubernetes.io/hostname";
    private static final String HOSTNAME = "linbit.com/hostname";
    private static final Set<String> LEAVING = Set.of("EVACUATE", "EVICTED", "DELETE");

    public LinstorNode {
        labels = Map.copyOf(labels);
    }

    /** Returns the namespace of the properties that are labels: that of operators of today, if one node has it. */
    public static String namespace(Optional<String> setting, Collection<JsonObject> nodes) {
        return setting.filter(text -> !text.isBlank())
                .orElseGet(() -> nodes.stream()
                                .anyMatch(node -> !Json.text(Json.child(node, "props"), MARK)
                                        .orElse("")
                                        .isEmpty())
                        ? NEWER_NAMESPACE
                        : OLDER_NAMESPACE);
    }

    /** Reads a node; empty if it has no name. */
    public static Optional<LinstorNode> of(JsonObject node, String namespace) {
        return Json.text(node, "name").filter(name -> !name.isEmpty()).map(name -> {
            Map<String, String> labels = new HashMap<>();
            Json.texts(Json.child(node, "props")).forEach((key, value) -> {
                if (key.startsWith(namespace + "/") && !value.isEmpty()) {
                    labels.put(key.substring(namespace.length() + 1), value);
                }
            });
            labels.put(HOSTNAME, name);
            List<String> flags = Json.texts(node, "flags");
            return new LinstorNode(
                    name,
                    Json.text(node, "connection_status")
                            .filter("ONLINE"::equals)
                            .isPresent(),
                    flags.stream().anyMatch(LEAVING::contains),
                    labels);
        });
    }

    public Optional<String> label(String key) {
        return Optional.ofNullable(labels.get(key));
    }

    /** Says whether another look shows the same node, whether its satellite answers or not. */
    public boolean isLike(@Nullable LinstorNode other) {
        return other != null && name.equals(other.name) && leaving == other.leaving && labels.equals(other.labels);
    }
}
