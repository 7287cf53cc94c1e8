package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.application.config.Secret;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Holds a checked request: every part of it becomes a part of the one text that the kernel takes, and comes from
 * whoever may write PersistentVolumes and secrets.
 *
 * @param transports the ways, each with its own options and with the keys of the stage secret
 */
record NvmeofRequest(String nqn, int nsid, List<NvmeofTransport> transports) {
    /** The form of the name of a subsystem or of a host. */
    static final Pattern NQN = Pattern.compile("nqn\\.[0-9]{4}-[0-9]{2}\\.[A-Za-z0-9][A-Za-z0-9.:_/@~+-]{0,200}");

    private static final String DISCOVERY = "nqn.2014-08.org.nvmexpress.discovery";

    /** The keys of a stage secret, and the option that each is. */
    private static final Map<String, String> KEYS = Map.of(
            "dhchap_secret", NvmeofOptions.HOST_KEY,
            "dhchap-secret", NvmeofOptions.HOST_KEY,
            "dhchap_ctrl_secret", NvmeofOptions.CONTROLLER_KEY,
            "dhchap-ctrl-secret", NvmeofOptions.CONTROLLER_KEY);

    /** The text that a key of TLS begins with, whatever it is called. */
    private static final String TLS_KEY = "NVMeTLSkey-";

    /** The form of a name of such a key. A name with a dot is that of a certificate, which is for something else. */
    private static final Pattern TLS_NAME = Pattern.compile("(?i)[^.]*(tls|psk)[^.]*");

    NvmeofRequest {
        transports = List.copyOf(transports);
    }

    static NvmeofRequest of(Attachment.Nvmeof attachment, Map<String, Secret> secrets) {
        String nqn = attachment.nqn();
        if (!NQN.matcher(nqn).matches() || nqn.equals(DISCOVERY)) {
            throw refused(
                    "nqn",
                    Excerpt.of(nqn) + " is no subsystem's name (expected: such as nqn.2003-01.org.example.nas:name)");
        }
        if (attachment.nsid() < 1) {
            throw refused("nsid", attachment.nsid() + " (expected: 1 or more)");
        }
        Map<String, Secret> keys = keys(secrets);
        List<NvmeofTransport> transports = NvmeofTransport.of(attachment).stream()
                .map(it -> new NvmeofTransport(
                        it.type(), it.host(), it.service(), it.options().with(keys)))
                .toList();
        for (NvmeofTransport transport : transports) {
            Map<String, Secret> all = transport.options().secrets();
            if (all.containsKey(NvmeofOptions.CONTROLLER_KEY) && !all.containsKey(NvmeofOptions.HOST_KEY)) {
                throw badSecret(
                        "dhchap_secret", "is missing; the subsystem cannot prove who it is unless the node does");
            }
        }
        return new NvmeofRequest(nqn, attachment.nsid(), transports);
    }

    private static Map<String, Secret> keys(Map<String, Secret> secrets) {
        secrets.forEach((key, secret) -> {
            // passed over, it would leave a volume unencrypted that somebody wanted encrypted
            if (TLS_NAME.matcher(key).matches() || secret.reveal().strip().startsWith(TLS_KEY)) {
                throw badSecret(
                        Excerpt.of(key),
                        "is not put into the kernel's keyring by this node plugin (expected: " + NvmeofOptions.IMPORTED
                                + ")");
            }
        });
        Map<String, Secret> keys = new LinkedHashMap<>();
        KEYS.forEach((key, option) -> {
            Secret secret = secrets.get(key);
            if (secret != null) {
                NvmeofOptions.lackOfKey(secret.reveal().strip()).ifPresent(why -> {
                    throw badSecret(key, why);
                });
                keys.put(option, new Secret(secret.reveal().strip()));
            }
        });
        return keys;
    }

    private static StorageException badSecret(String key, String why) {
        return new StorageException(new Failure.InvalidRequest("secrets." + key, why));
    }

    static StorageException refused(String key, String why) {
        return new StorageException(new Failure.InvalidRequest("volume_context." + key, why));
    }

    /** Returns the subsystem in words, as whoever changes what the node has of it locks it. */
    static String subsystem(String nqn) {
        return "subsystem " + nqn;
    }
}
