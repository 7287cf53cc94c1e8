package dev.fairlead.adapter.node.mount;

import dev.fairlead.application.port.out.node.StagedHandles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what kubelet notes beside a staging path: the handle of its volume. The folder is named by a hash of the
 * handle, which proves that the note is of this volume.
 */
public final class KubeletHandles implements StagedHandles {
    private static final String NOTE = "vol_data.json";
    private static final long LONGEST = 64 << 10;
    private static final Pattern HANDLE = Pattern.compile("\"volumeHandle\"\\s*:\\s*\"([^\"\\\\]+)\"");

    @Override
    public Optional<String> at(Path staging) {
        Path note = staging.resolveSibling(NOTE);
        try {
            if (!Files.isRegularFile(note) || Files.size(note) > LONGEST) {
                return Optional.empty();
            }
            Matcher found = HANDLE.matcher(Files.readString(note));
            return found.find() ? Optional.of(found.group(1)).filter(it -> isOf(it, note)) : Optional.empty();
        } catch (IOException _) {
            return Optional.empty(); // kubelet takes it away when the volume is unstaged
        }
    }

    private static boolean isOf(String handle, Path note) {
        return note.resolveSibling("").endsWith(hash(handle));
    }

    private static String hash(String handle) {
        try {
            byte[] text = handle.getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
