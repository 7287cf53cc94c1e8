package dev.fairlead.lab.affinity;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Holds one call of the process to the API server.
 *
 * @param kind what it is for, in words
 * @param volume the PersistentVolume that it is about; empty if about none in particular
 * @param changes whether it may change anything but an event or a Lease
 */
record GateCall(String kind, String volume, boolean changes) {
    private static final Pattern NAME = Pattern.compile("\"name\":\"([^\"]+)\"");
    private static final Pattern INVOLVED = Pattern.compile("\"involvedObject\":\\{[^}]*\"name\":\"([^\"]+)\"");

    /** @param names the volumes by the names of their intents and of their trials */
    static GateCall of(String method, String path, String query, String body, Map<String, String> names) {
        String[] parts = path.split("/", -1);
        String last = parts[parts.length - 1];
        boolean dry = query.contains("dryRun") || body.contains("dryRun");
        if (path.startsWith("/api/v1/persistentvolumes")) {
            return volumes(method, last.equals("persistentvolumes") ? "" : last, query, body, dry, names);
        }
        if (path.contains("/configmaps")) {
            return intents(method, last.equals("configmaps") ? "" : last, body, names);
        }
        if (path.contains("/persistentvolumeclaims/")) {
            return new GateCall("read the claim", last.replace("claim-", "pv-"), false);
        }
        if (path.endsWith("/events")) {
            boolean claim = body.contains("\"PersistentVolumeClaim\"");
            return new GateCall(
                    claim ? "event on the claim" : "event on the volume",
                    found(INVOLVED, body).replace("claim-", "pv-"),
                    false);
        }
        if (path.contains("/leases")) {
            return new GateCall(
                    switch (method) {
                        case "GET" -> "read the Lease";
                        case "POST" -> "create the Lease";
                        default -> "renew the Lease";
                    },
                    "",
                    false);
        }
        String what = last + (query.contains("watch=true") ? " (watch)" : "");
        return new GateCall(method.equals("GET") ? "list " + what : method + " " + what, "", false);
    }

    private static GateCall volumes(
            String method, String name, String query, String body, boolean dry, Map<String, String> names) {
        if (name.isEmpty() && method.equals("GET")) {
            return new GateCall(query.contains("watch=true") ? "watch volumes" : "list volumes", "", false);
        }
        String made = found(NAME, body);
        String volume = name.isEmpty() ? names.getOrDefault(made, made) : name;
        String kind = dry
                ? switch (method) {
                    case "POST" -> "try to create";
                    case "DELETE" -> "try to delete";
                    default -> "try in place";
                }
                : switch (method) {
                    case "GET" -> "read the volume";
                    case "POST" -> "create";
                    case "DELETE" -> "delete";
                    default -> patch(body);
                };
        return new GateCall(kind, volume, !dry && !method.equals("GET"));
    }

    private static String patch(String body) {
        if (body.contains("affinity-withdrawn")) {
            return body.contains("\"op\":\"remove\"") ? "take the withdrawal back" : "withdraw";
        }
        if (body.contains("/spec/nodeAffinity")) {
            return "change in place";
        }
        if (!body.contains("affinity-intent")) {
            return "take the finalizers away";
        }
        return body.contains("\"op\":\"remove\"") ? "take the mark away" : "mark and retain";
    }

    private static GateCall intents(String method, String name, String body, Map<String, String> names) {
        if (name.isEmpty() && method.equals("GET")) {
            return new GateCall("list intents", "", false);
        }
        String map = name.isEmpty() ? found(NAME, body) : name;
        String kind = switch (method) {
            case "GET" -> "read the intent";
            case "POST" -> "write the intent";
            case "DELETE" -> "remove the intent";
            default -> body.contains("/metadata/finalizers") ? "let go of the intent" : "note in the intent";
        };
        return new GateCall(kind, names.getOrDefault(map, map), !method.equals("GET"));
    }

    private static String found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.group(1) : "";
    }

    /** Returns the names that stand for a volume: that of its intent, and that of the trial of its replacement. */
    static Map<String, String> aliases(String volume) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(volume.getBytes(StandardCharsets.UTF_8));
            String half = HexFormat.of().formatHex(digest, 0, 16);
            return Map.of("fairlead-affinity-" + half, volume, "fairlead-trial-" + half, volume);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
