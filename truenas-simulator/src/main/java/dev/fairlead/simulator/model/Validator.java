package dev.fairlead.simulator.model;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.error.Violation;
import dev.fairlead.simulator.profile.Profile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/** Checks a value by a schema and refuses it in the words of the vendor's models. */
final class Validator {
    private final Profile api;
    private final JsonObject definitions;

    Validator(Profile api, JsonObject definitions) {
        this.api = api;
        this.definitions = definitions;
    }

    List<Violation> check(JsonObject schema, JsonElement value, String at) {
        if (schema.has("$ref")) return model(name(schema), value, at);
        if (schema.has("oneOf")) return tagged(schema, value, at);
        if (schema.has("anyOf")) return union(schema, value, at);
        if (schema.has("x-opaque"))
            return refuse(at, "Input should be an instance of " + JsonTools.text(schema, "x-opaque"));
        if (schema.has("const")) return oneOf(JsonTools.array(schema.get("const")), value, at);
        if (schema.has("enum")) return oneOf(schema.getAsJsonArray("enum"), value, at);
        return switch (JsonTools.text(schema, "type")) {
            case "string" -> text(schema, value, at);
            case "integer" -> integer(schema, value, at);
            case "number" -> JsonTools.isNumber(value) ? List.of() : refuse(at, "Input should be a valid number");
            case "boolean" -> JsonTools.isBoolean(value) ? List.of() : refuse(at, "Input should be a valid boolean");
            case "null" -> value.isJsonNull() ? List.of() : refuse(at, "Input should be None");
            case "array" -> list(schema, value, at);
            case "object" -> object(schema, value, at);
            default -> List.of();
        };
    }

    private static List<Violation> refuse(String at, String text) {
        return List.of(Violation.of(at, text));
    }

    private static String name(JsonObject schema) {
        String reference = JsonTools.text(schema, "$ref");
        return reference.substring(reference.lastIndexOf('/') + 1);
    }

    private List<Violation> model(String name, JsonElement value, String at) {
        JsonObject schema = JsonTools.child(definitions, name);
        if (!schema.has("properties")) return check(schema, value, at);
        if (!value.isJsonObject()) return refuse(at, "Input should be a valid dictionary or instance of " + name);
        return object(schema, value, at);
    }

    private List<Violation> object(JsonObject schema, JsonElement value, String at) {
        if (!value.isJsonObject()) return refuse(at, "Input should be a valid dictionary");
        JsonObject given = value.getAsJsonObject();
        JsonObject properties = JsonTools.child(schema, "properties");
        JsonArray required = JsonTools.list(schema, "required");
        List<Violation> found = new ArrayList<>();
        properties.entrySet().forEach(property -> {
            String key = property.getKey();
            if (given.has(key))
                found.addAll(check(property.getValue().getAsJsonObject(), given.get(key), at + "." + key));
            else if (required.contains(JsonTools.of(key))) found.add(Violation.of(at + "." + key, "Field required"));
        });
        JsonElement more = schema.has("additionalProperties") ? schema.get("additionalProperties") : JsonTools.of(true);
        given.entrySet().forEach(extra -> {
            if (properties.has(extra.getKey())) return;
            String place = at + "." + extra.getKey();
            if (more.isJsonObject()) found.addAll(check(more.getAsJsonObject(), extra.getValue(), place));
            else if (!more.getAsBoolean()) found.add(Violation.of(place, "Extra inputs are not permitted"));
        });
        return found;
    }

    // Several members, of which one has to accept; each that does not says so under its own name.
    private List<Violation> union(JsonObject schema, JsonElement value, String at) {
        List<JsonObject> members = StreamSupport.stream(
                        schema.getAsJsonArray("anyOf").spliterator(), false)
                .map(JsonElement::getAsJsonObject)
                .filter(member -> !JsonTools.text(member, "type").equals("null"))
                .toList();
        boolean nullable = members.size() < schema.getAsJsonArray("anyOf").size();
        if (nullable && value.isJsonNull()) return List.of();
        if (members.size() == 1) return check(members.getFirst(), value, at);
        List<Violation> found = new ArrayList<>();
        for (JsonObject member : members) {
            List<Violation> own = check(member, value, at + "." + label(member));
            if (own.isEmpty()) return List.of();
            found.addAll(own);
        }
        return found;
    }

    private String label(JsonObject member) {
        if (member.has("$ref")) return name(member);
        if (member.has("x-opaque")) return "is-instance[" + JsonTools.text(member, "x-opaque") + "]";
        if (member.has("const")) return literal(JsonTools.array(member.get("const")));
        if (member.has("enum")) return literal(member.getAsJsonArray("enum"));
        String type = JsonTools.text(member, "type");
        boolean bound =
                member.has("minimum") || member.has("maximum") || member.has("maxLength") || member.has("minLength");
        return switch (type) {
            case "integer" -> bound ? "constrained-int" : "int";
            case "string" -> bound ? "constrained-str" : "str";
            case "boolean" -> "bool";
            case "number" -> "float";
            case "array" -> "list[" + label(JsonTools.child(member, "items")) + "]";
            default -> "dict[str,any]";
        };
    }

    private static String literal(JsonArray values) {
        return "literal["
                + String.join(
                        ",", values.asList().stream().map(Validator::python).toList()) + "]";
    }

    private static String python(JsonElement value) {
        if (value.isJsonNull()) return "None";
        return JsonTools.isText(value) ? "'" + value.getAsString() + "'" : value.toString();
    }

    /** Members that a tag tells apart; an absent tag is the default of the member that has one. */
    private List<Violation> tagged(JsonObject schema, JsonElement value, String at) {
        JsonObject discriminator = JsonTools.child(schema, "discriminator");
        String property = JsonTools.text(discriminator, "propertyName");
        if (!value.isJsonObject())
            return refuse(at, "Input should be a valid dictionary or object to extract fields from");
        Optional<JsonElement> tag =
                JsonTools.at(value.getAsJsonObject(), property).or(() -> fallback(schema, property));
        if (tag.isEmpty()) return refuse(at, "Unable to extract tag using discriminator '" + property + "'");
        JsonObject mapping = JsonTools.child(discriminator, "mapping");
        String wanted = tag.get().getAsString();
        if (!mapping.has(wanted))
            return refuse(
                    at,
                    "Input tag '" + wanted + "' found using '" + property
                            + "' does not match any of the expected tags: " + tags(schema, mapping, property));
        String reference = mapping.get(wanted).getAsString();
        return model(reference.substring(reference.lastIndexOf('/') + 1), value, at + "." + wanted);
    }

    private Optional<JsonElement> fallback(JsonObject schema, String property) {
        return schema.getAsJsonArray("oneOf").asList().stream()
                .map(member -> JsonTools.child(definitions, name(member.getAsJsonObject())))
                .map(member -> JsonTools.child(JsonTools.child(member, "properties"), property))
                .flatMap(tag -> JsonTools.at(tag, "default").stream())
                .findFirst();
    }

    private String tags(JsonObject schema, JsonObject mapping, String property) {
        List<String> tags = new ArrayList<>();
        for (JsonElement member : schema.getAsJsonArray("oneOf"))
            mapping.entrySet().stream()
                    .filter(entry ->
                            entry.getValue().equals(member.getAsJsonObject().get("$ref")))
                    .forEach(entry -> tags.add(enumerated(entry.getKey(), property)));
        return String.join(", ", tags);
    }

    /** Renders a member of one of Python's enumerations with its class. */
    private String enumerated(String value, String property) {
        if (property.equals("mechanism") && api.before(Profile.V26_BETA))
            return "<AuthMech." + value + ": '" + value + "'>";
        return property.equals("purpose") ? "<SMBSharePurpose." + value + ": '" + value + "'>" : "'" + value + "'";
    }

    private List<Violation> oneOf(JsonArray values, JsonElement value, String at) {
        if (values.contains(value)) return List.of();
        String property = at.substring(at.lastIndexOf('.') + 1);
        boolean purpose = values.contains(JsonTools.of("DEFAULT_SHARE"));
        List<String> texts = values.asList().stream()
                .map(each -> purpose || property.equals("mechanism")
                        ? enumerated(each.getAsString(), purpose ? "purpose" : property)
                        : python(each))
                .toList();
        if (texts.size() == 1) return refuse(at, "Input should be " + texts.getFirst());
        String head = String.join(", ", texts.subList(0, texts.size() - 1));
        return refuse(at, "Input should be " + head + " or " + texts.getLast());
    }

    private static List<Violation> text(JsonObject schema, JsonElement value, String at) {
        if (!JsonTools.isText(value)) return refuse(at, "Input should be a valid string");
        String text = value.getAsString();
        long least = JsonTools.number(schema, "minLength", 0);
        long most = JsonTools.number(schema, "maxLength", Long.MAX_VALUE);
        if (text.length() < least)
            return refuse(at, "String should have at least " + least + (least == 1 ? " character" : " characters"));
        if (text.length() > most)
            return refuse(at, "String should have at most " + most + (most == 1 ? " character" : " characters"));
        String pattern = JsonTools.text(schema, "pattern");
        return pattern.isEmpty() || Pattern.compile(pattern).matcher(text).find()
                ? List.of()
                : refuse(at, "String should match pattern '" + pattern + "'");
    }

    private static List<Violation> integer(JsonObject schema, JsonElement value, String at) {
        if (!JsonTools.isNumber(value) || value.getAsString().contains("."))
            return refuse(at, "Input should be a valid integer");
        long number = value.getAsLong();
        if (number < JsonTools.number(schema, "minimum", Long.MIN_VALUE))
            return refuse(at, "Input should be greater than or equal to " + schema.get("minimum"));
        if (number > JsonTools.number(schema, "maximum", Long.MAX_VALUE))
            return refuse(at, "Input should be less than or equal to " + schema.get("maximum"));
        if (schema.has("exclusiveMaximum")
                && number >= schema.get("exclusiveMaximum").getAsLong())
            return refuse(at, "Input should be less than " + schema.get("exclusiveMaximum"));
        if (schema.has("exclusiveMinimum")
                && number <= schema.get("exclusiveMinimum").getAsLong())
            return refuse(at, "Input should be greater than " + schema.get("exclusiveMinimum"));
        return List.of();
    }

    private List<Violation> list(JsonObject schema, JsonElement value, String at) {
        if (!value.isJsonArray()) return refuse(at, "Input should be a valid list");
        JsonArray given = value.getAsJsonArray();
        List<Violation> found = new ArrayList<>();
        for (int i = 0; i < given.size(); i++)
            found.addAll(check(JsonTools.child(schema, "items"), given.get(i), at + "." + i));
        long most = JsonTools.number(schema, "maxItems", Long.MAX_VALUE);
        if (given.size() > most)
            return refuse(at, "List should have at most " + most + " items after validation, not " + given.size());
        if (found.isEmpty()
                && JsonTools.flag(schema, "uniqueItems", false)
                && new HashSet<>(given.asList()).size() < given.size()) return refuse(at, "List must be unique");
        return found;
    }
}
