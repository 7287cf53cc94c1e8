package dev.fairlead.application.port.out.export.block;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.NvmeOption;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Says how nodes reach a connection's NVMe-oF subsystems, in democratic-csi's spelling.
 *
 * @param transport {@code transport}; empty if only {@code transports} are given
 * @param transports {@code transports}: further ways, for multipath
 */
public record NvmeTransports(String transport, List<String> transports) {
    private static final String TRANSPORT = "transport";
    private static final String TRANSPORTS = "transports";
    private static final String REMEDY =
            "write it as tcp://10.0.0.1:4420, rdma://10.0.0.1:4420 or fc://[nn-0x…:pn-0x…]";
    private static final String QUERY = "(\\?[A-Za-z0-9_-]+=[A-Za-z0-9_.:%-]+(&[A-Za-z0-9_-]+=[A-Za-z0-9_.:%-]+)*)?";
    private static final Pattern IP = Pattern.compile(
            "(tcp|rdma)://([A-Za-z0-9_.-]{1,253}|\\[[0-9A-Fa-f:.%A-Za-z]{2,64}\\])(:[0-9]{1,5})?/?" + QUERY);
    private static final Pattern FC =
            Pattern.compile("fc://\\[nn-0x[0-9A-Fa-f]{1,16}:pn-0x[0-9A-Fa-f]{1,16}\\]" + QUERY);

    public NvmeTransports {
        transports = List.copyOf(transports);
    }

    /** @param block {@code nvmeof} of a connection's file */
    public static NvmeTransports read(ConfigNode block) {
        String transport = block.optional(TRANSPORT, text -> text.isEmpty() ? text : checked(text), REMEDY)
                .orElse("");
        List<String> transports = transports(block);
        if (transport.isEmpty() && transports.isEmpty()) {
            block.problems().error(block.pathOf(TRANSPORT), block.line(), "is missing", REMEDY);
        }
        return new NvmeTransports(transport, transports);
    }

    private static List<String> transports(ConfigNode block) {
        List<String> found = block.strings(TRANSPORTS);
        for (int i = 0; i < found.size(); i++) {
            try {
                checked(found.get(i));
            } catch (IllegalArgumentException e) {
                block.problems()
                        .error(
                                block.pathOf(TRANSPORTS + "[" + i + "]"),
                                block.lineOf(TRANSPORTS),
                                String.valueOf(e.getMessage()),
                                REMEDY);
            }
        }
        return found;
    }

    private static String checked(String text) {
        if (text.length() > 512
                || !(IP.matcher(text).matches() || FC.matcher(text).matches())) {
            throw new IllegalArgumentException("'" + text + "' is no address of an NVMe target");
        }
        int mark = text.indexOf('?');
        if (mark >= 0) {
            Stream.of(text.substring(mark + 1).split("&", -1)).forEach(NvmeTransports::checkOption);
        }
        return text;
    }

    /** Refuses a number that no node would connect with; other options are the node's to know. */
    private static void checkOption(String part) {
        int equals = part.indexOf('=');
        NvmeOption.of(part.substring(0, equals)).ifPresent(option -> {
            try {
                var _ = option.checked(part.substring(equals + 1));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("option " + option.key() + ": " + e.getMessage(), e);
            }
        });
    }

    /** Returns what a node needs to reach a namespace. */
    public Attachment.Nvmeof attachment(String nqn, int nsid) {
        return new Attachment.Nvmeof(transport, transports, nqn, nsid);
    }
}
