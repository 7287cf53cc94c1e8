package dev.fairlead.adapter.kernel.nvmet;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Reads and changes the configuration that the storage host restores when it starts, in the JSON of {@code nvmetcli
 * saveconfig}. Everything that is not this volume's stays as it is: other entries, unknown keys, the order, and how a
 * number is written.
 */
final class SavedConfig {
    /** Indents like nvmetcli and escapes neither a slash nor an apostrophe, which need it not. */
    private static final Gson GSON = new GsonBuilder()
            .setPrettyPrinting()
            .disableHtmlEscaping()
            .serializeNulls()
            .setStrictness(Strictness.STRICT)
            .create();

    private static final String HOSTS = "hosts";
    private static final String SUBSYSTEMS = "subsystems";
    private static final String PORTS = "ports";
    private static final String NAMESPACES = "namespaces";
    private static final String NQN = "nqn";
    private static final String DEVICE = "device";
    private static final String PATH = "path";
    private static final String ATTRIBUTES = "attr";
    private static final String UUID = "uuid";
    private static final String NGUID = "nguid";
    private static final String PORT_ID = "portid";

    private final JsonObject root;

    private SavedConfig(JsonObject root) {
        this.root = root;
    }

    /** Returns a configuration to which nothing was saved yet. */
    static SavedConfig empty() {
        JsonObject root = new JsonObject();
        root.add(HOSTS, new JsonArray());
        root.add(PORTS, new JsonArray());
        root.add(SUBSYSTEMS, new JsonArray());
        return new SavedConfig(root);
    }

    /** Reads a saved configuration; empty if the text is none. */
    static Optional<SavedConfig> read(String text) {
        if (text.isBlank()) {
            return Optional.of(empty());
        }
        try {
            return GSON.fromJson(text, JsonElement.class) instanceof JsonObject json
                            && isListOrAbsent(json, SUBSYSTEMS)
                            && isListOrAbsent(json, PORTS)
                    ? Optional.of(new SavedConfig(json))
                    : Optional.empty();
        } catch (JsonParseException _) {
            return Optional.empty();
        }
    }

    private static boolean isListOrAbsent(JsonObject json, String key) {
        return !json.has(key) || json.get(key) instanceof JsonArray;
    }

    /** Returns the text as nvmetcli writes it, with a line break at the end. */
    String text() {
        return GSON.toJson(root) + "\n";
    }

    /** Returns whether there are subsystems other than this one. */
    boolean hasOthers(String nqn) {
        return objects(root, SUBSYSTEMS).anyMatch(each -> !text(each, NQN).equals(nqn));
    }

    boolean hasPort(String port) {
        return port(port).isPresent();
    }

    /** Returns a device other than this one that a subsystem of this name shows, if there is one. */
    Optional<String> foreign(String nqn, String device) {
        return named(nqn)
                .flatMap(subsystem -> objects(subsystem, NAMESPACES)
                        .map(SavedConfig::path)
                        .filter(path -> !path.isEmpty() && !path.equals(device))
                        .findFirst());
    }

    /** Returns the identity by which hosts know this disk so far; the given one for what is not saved. */
    NvmeIdentity identity(String nqn, NvmeIdentity otherwise) {
        return named(nqn)
                .map(subsystem -> {
                    JsonObject device =
                            namespace(subsystem).map(it -> object(it, DEVICE)).orElseGet(JsonObject::new);
                    return new NvmeIdentity(
                            textOr(device, UUID, otherwise.uuid()),
                            textOr(device, NGUID, otherwise.nguid()),
                            textOr(object(subsystem, ATTRIBUTES), Subsystem.SERIAL, otherwise.serial()));
                })
                .orElse(otherwise);
    }

    /**
     * Returns the same with a subsystem in its present state, which will be restored.
     *
     * @param ports the ports that are not saved yet, by their numbers
     */
    SavedConfig with(Subsystem subsystem, NvmeIdentity identity, Map<String, JsonObject> ports) {
        JsonObject copy = root.deepCopy();
        SavedConfig changed = new SavedConfig(copy);
        JsonObject entry = changed.named(subsystem.nqn()).orElseGet(() -> {
            JsonObject fresh = entry(subsystem.nqn());
            list(copy, SUBSYSTEMS).add(fresh);
            return fresh;
        });
        JsonObject attributes = child(entry, ATTRIBUTES);
        if (!identity.serial().isEmpty()) {
            attributes.addProperty(Subsystem.SERIAL, identity.serial());
        }
        subsystem.attributes().forEach(attributes::addProperty);
        JsonObject namespace = namespace(entry).orElseGet(() -> {
            JsonObject fresh = new JsonObject();
            list(entry, NAMESPACES).add(fresh);
            return fresh;
        });
        JsonObject device = child(namespace, DEVICE);
        device.addProperty(NGUID, identity.nguid());
        device.addProperty(PATH, subsystem.device());
        device.addProperty(UUID, identity.uuid());
        namespace.addProperty("enable", 1);
        namespace.addProperty("nsid", 1);
        subsystem.hosts().ifPresent(hosts -> changed.admit(entry, hosts));
        if (subsystem.isShown()) {
            subsystem.ports().forEach(port -> changed.link(port, subsystem.nqn(), ports));
        } else {
            changed.unlink(subsystem.nqn());
        }
        return changed;
    }

    /**
     * Lets hosts in to a subsystem. Each host is saved too, since it is restored before the subsystem; a host that is
     * no longer let in anywhere does no harm.
     */
    private void admit(JsonObject subsystem, List<String> hosts) {
        JsonArray allowed = new JsonArray();
        hosts.stream().sorted().forEach(allowed::add);
        subsystem.add("allowed_hosts", allowed);
        for (String host : hosts) {
            if (objects(root, HOSTS).noneMatch(each -> text(each, NQN).equals(host))) {
                JsonObject fresh = new JsonObject();
                fresh.addProperty(NQN, host);
                list(root, HOSTS).add(fresh);
            }
        }
    }

    private void unlink(String nqn) {
        JsonElement name = new JsonPrimitive(nqn);
        objects(root, PORTS)
                .filter(port -> port.get(SUBSYSTEMS) instanceof JsonArray)
                .forEach(port -> list(port, SUBSYSTEMS).remove(name));
    }

    /** Returns a new entry, with the keys in the order in which nvmetcli writes them. */
    private static JsonObject entry(String nqn) {
        JsonObject entry = new JsonObject();
        entry.add("allowed_hosts", new JsonArray());
        entry.add(ATTRIBUTES, new JsonObject());
        entry.add(NAMESPACES, new JsonArray());
        entry.addProperty(NQN, nqn);
        return entry;
    }

    private void link(String port, String nqn, Map<String, JsonObject> states) {
        Optional<JsonObject> known = port(port);
        if (known.isEmpty()) {
            Optional.ofNullable(states.get(port)).ifPresent(list(root, PORTS)::add);
            known = port(port);
        }
        JsonElement name = new JsonPrimitive(nqn);
        known.map(it -> list(it, SUBSYSTEMS))
                .filter(list -> !list.contains(name))
                .ifPresent(list -> list.add(name));
    }

    private Optional<JsonObject> port(String number) {
        return objects(root, PORTS)
                .filter(each -> text(each, PORT_ID).equals(number))
                .findFirst();
    }

    /**
     * Returns the same without the subsystems that have this name or show this device, except those that show another
     * device.
     */
    SavedConfig without(String nqn, String device) {
        SavedConfig changed = new SavedConfig(root.deepCopy());
        showing(nqn, device).forEach(each -> {
            list(changed.root, SUBSYSTEMS).remove(each);
            changed.unlink(text(each, NQN));
        });
        return changed;
    }

    /**
     * Returns the same with only these hosts let in by the subsystems that have this name or show this device, except
     * those that show another device.
     */
    SavedConfig closedTo(List<String> hosts, String nqn, String device) {
        SavedConfig changed = new SavedConfig(root.deepCopy());
        changed.showing(nqn, device).forEach(each -> {
            child(each, ATTRIBUTES).addProperty(Subsystem.ANY_HOST, "0");
            changed.admit(each, hosts);
            if (hosts.isEmpty()) {
                changed.unlink(text(each, NQN));
            }
        });
        return changed;
    }

    private List<JsonObject> showing(String nqn, String device) {
        return objects(root, SUBSYSTEMS)
                .filter(each -> {
                    boolean mine = objects(each, NAMESPACES).anyMatch(it -> path(it).equals(device));
                    boolean foreign = objects(each, NAMESPACES)
                            .map(SavedConfig::path)
                            .anyMatch(path -> !path.isEmpty() && !path.equals(device));
                    return !foreign && (mine || text(each, NQN).equals(nqn));
                })
                .toList();
    }

    private Optional<JsonObject> named(String nqn) {
        return objects(root, SUBSYSTEMS)
                .filter(each -> text(each, NQN).equals(nqn))
                .findFirst();
    }

    private static Optional<JsonObject> namespace(JsonObject subsystem) {
        return objects(subsystem, NAMESPACES)
                .filter(each -> text(each, "nsid").equals("1"))
                .findFirst();
    }

    private static String path(JsonObject namespace) {
        String path = text(object(namespace, DEVICE), PATH);
        return path.equals("(null)") ? "" : path; // the kernel's text for a namespace without a path
    }

    private static Stream<JsonObject> objects(JsonObject of, String key) {
        return of.get(key) instanceof JsonArray list
                ? StreamSupport.stream(list.spliterator(), false)
                        .filter(JsonObject.class::isInstance)
                        .map(JsonObject.class::cast)
                : Stream.empty();
    }

    private static JsonObject object(JsonObject of, String key) {
        return of.get(key) instanceof JsonObject found ? found : new JsonObject();
    }

    private static String text(JsonObject of, String key) {
        return of.get(key) instanceof JsonPrimitive value ? value.getAsString() : "";
    }

    private static String textOr(JsonObject of, String key, String otherwise) {
        String text = text(of, key);
        return text.isEmpty() ? otherwise : text;
    }

    private static JsonObject child(JsonObject of, String key) {
        if (!(of.get(key) instanceof JsonObject)) {
            of.add(key, new JsonObject());
        }
        return of.getAsJsonObject(key);
    }

    private static JsonArray list(JsonObject of, String key) {
        if (!(of.get(key) instanceof JsonArray)) {
            of.add(key, new JsonArray());
        }
        return of.getAsJsonArray(key);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SavedConfig that && that.root.equals(root);
    }

    @Override
    public int hashCode() {
        return root.hashCode();
    }
}
