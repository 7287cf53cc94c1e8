package dev.fairlead.adapter.freenas.peer;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.adapter.freenas.testkit.WiredBox;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.profile.Profile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Sends what the drivers freenas-api-nfs, -smb and -iscsi of democratic-csi send by REST, in their order and with their
 * fields, to a box that knows nothing of Fairlead.
 */
final class PeerRequests {
    private static final String PREFIX = "democratic-csi:";
    private static final TrustManager ANYTHING = new X509TrustManager() {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    };

    private final Simulator box;
    private final Protocol protocol;
    private final String snapshots;

    PeerRequests(Simulator box, Profile profile, Protocol protocol) {
        this.box = box;
        this.protocol = protocol;
        this.snapshots = profile.since(Profile.V25_10_0) ? "pool/snapshot" : "zfs/snapshot";
    }

    /** Makes and exports an empty volume, as CreateVolume does. */
    void createVolume(String name, long bytes) {
        String dataset = WiredBox.PARENT + "/" + name;
        JsonObject fields = JsonTools.object(
                "name",
                dataset,
                "type",
                protocol.isBlock() ? "VOLUME" : "FILESYSTEM",
                "create_ancestors",
                true,
                "share_type",
                protocol == Protocol.SMB ? "SMB" : "GENERIC",
                "user_properties",
                properties(
                        "csi_volume_name",
                        name,
                        "managed_resource",
                        "true",
                        "volume_context_provisioner_driver",
                        protocol.driverType(),
                        "volume_context_provisioner_instance_id",
                        "i-1"));
        if (protocol.isBlock()) {
            fields.addProperty("volsize", bytes);
            fields.addProperty("volblocksize", "16K");
            fields.addProperty("sparse", true);
        }
        send("POST", "pool/dataset", fields);
        if (!protocol.isBlock()) {
            send("PUT", "pool/dataset/id/" + encoded(dataset), JsonTools.object("refquota", bytes));
            JsonElement job = send(
                    "POST",
                    "filesystem/setperm",
                    JsonTools.object(
                            "path", "/mnt/" + dataset, "mode", "0777", "options", JsonTools.object("stripacl", false)));
            await(job.getAsInt());
        }
        JsonObject context = switch (protocol) {
            case NFS -> shareByNfs(name, dataset);
            case SMB -> shareBySmb(name, dataset);
            case ISCSI -> exportByIscsi(name, dataset);
            case NVMEOF -> throw new IllegalArgumentException("it has no REST form");
        };
        note(dataset, "csi_share_volume_context", context.toString());
        note(dataset, "provision_success", "true");
    }

    private JsonObject shareByNfs(String name, String dataset) {
        JsonObject share = send(
                        "POST",
                        "sharing/nfs",
                        JsonTools.object(
                                "path",
                                "/mnt/" + dataset,
                                "comment",
                                comment(name, dataset),
                                "networks",
                                new JsonArray(),
                                "hosts",
                                new JsonArray(),
                                "ro",
                                false,
                                "security",
                                new JsonArray()))
                .getAsJsonObject();
        note(dataset, "freenas_nfs_share_id", share.get("id").getAsString());
        return JsonTools.object(
                "node_attach_driver", "nfs", "server", "nas.example.org", "share", JsonTools.text(share, "path"));
    }

    private JsonObject shareBySmb(String name, String dataset) {
        JsonObject share = send("POST", "sharing/smb", JsonTools.object("name", name, "path", "/mnt/" + dataset))
                .getAsJsonObject();
        note(dataset, "freenas_smb_share_id", share.get("id").getAsString());
        return JsonTools.object("node_attach_driver", "smb", "server", "nas.example.org", "share", name);
    }

    private JsonObject exportByIscsi(String name, String dataset) {
        String basename =
                JsonTools.text(send("GET", "iscsi/global", new JsonObject()).getAsJsonObject(), "basename");
        JsonObject target = send(
                        "POST",
                        "iscsi/target",
                        JsonTools.object("name", name, "mode", "ISCSI", "groups", new JsonArray()))
                .getAsJsonObject();
        note(dataset, "freenas_iscsi_target_id", target.get("id").getAsString());
        JsonObject extent = send(
                        "POST",
                        "iscsi/extent",
                        JsonTools.object(
                                "comment",
                                comment(name, dataset),
                                "type",
                                "DISK",
                                "name",
                                name,
                                "disk",
                                "zvol/" + dataset,
                                "insecure_tpc",
                                true,
                                "xen",
                                false,
                                "blocksize",
                                512,
                                "pblocksize",
                                true,
                                "rpm",
                                "SSD",
                                "ro",
                                false))
                .getAsJsonObject();
        note(dataset, "freenas_iscsi_extent_id", extent.get("id").getAsString());
        JsonObject lun = send(
                        "POST",
                        "iscsi/targetextent",
                        JsonTools.object(
                                "target", target.get("id").getAsInt(),
                                "extent", extent.get("id").getAsInt(),
                                "lunid", 0))
                .getAsJsonObject();
        note(dataset, "freenas_iscsi_targettoextent_id", lun.get("id").getAsString());
        note(dataset, "freenas_iscsi_assets_name", name);
        return JsonTools.object(
                "node_attach_driver",
                "iscsi",
                "portal",
                "nas.example.org:3260",
                "portals",
                "",
                "interface",
                "",
                "iqn",
                basename + ":" + name,
                "lun",
                "0");
    }

    /** Takes a snapshot, as CreateSnapshot does. */
    void createSnapshot(String volume, String name) {
        String dataset = WiredBox.PARENT + "/" + volume;
        var properties = new JsonObject();
        Map.of("csi_snapshot_name", name, "csi_snapshot_source_volume_id", volume, "managed_resource", "true")
                .forEach((key, value) -> properties.addProperty(PREFIX + key, value));
        send("POST", snapshots, JsonTools.object("dataset", dataset, "name", name, "properties", properties));
        send(
                "PUT",
                snapshots + "/id/" + encoded(dataset + "@" + name),
                JsonTools.object("user_properties_update", properties("provision_success", "true")));
    }

    private static String comment(String name, String dataset) {
        return "democratic-csi (" + name + "): " + dataset;
    }

    private void note(String dataset, String key, String value) {
        send(
                "PUT",
                "pool/dataset/id/" + encoded(dataset),
                JsonTools.object("user_properties_update", properties(key, value)));
    }

    private static JsonArray properties(String... keysAndValues) {
        var list = new JsonArray();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            list.add(JsonTools.object("key", PREFIX + keysAndValues[i], "value", keysAndValues[i + 1]));
        }
        return list;
    }

    /** Waits for a job's end, and does not ask how it ended. */
    private void await(int job) {
        for (int i = 0; i < 500; i++) {
            String state = JsonTools.text(
                    send("GET", "core/get_jobs?id=" + job, new JsonObject())
                            .getAsJsonArray()
                            .get(0)
                            .getAsJsonObject(),
                    "state");
            if (List.of("SUCCESS", "FAILED", "ABORTED").contains(state)) {
                return;
            }
        }
        throw new IllegalStateException("the job " + job + " does not end");
    }

    private static String encoded(String id) {
        return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private JsonElement send(String method, String path, JsonObject body) {
        try {
            var connection = (HttpsURLConnection)
                    URI.create(box.url() + "/api/v2.0/" + path).toURL().openConnection();
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {ANYTHING}, null);
            connection.setSSLSocketFactory(context.getSocketFactory());
            connection.setHostnameVerifier((_, _) -> true);
            connection.setRequestMethod(method);
            connection.setRequestProperty("Authorization", "Bearer " + box.rootKey());
            connection.setRequestProperty("Content-Type", "application/json");
            if (!method.equals("GET")) {
                connection.setDoOutput(true);
                connection.getOutputStream().write(body.toString().getBytes(StandardCharsets.UTF_8));
            }
            if (connection.getResponseCode() != 200) {
                throw new IllegalStateException(method + " " + path + ": " + connection.getResponseCode() + " "
                        + new String(connection.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
            }
            return JsonParser.parseString(
                    new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
