package dev.fairlead.adapter.node.mount;

import dev.fairlead.application.port.out.node.StagedHandles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads what kubelet notes beside a staging path: the handle of its volume. The folder is named by a hash of the
 * handle, which proves that the note is of this volume. In the folder of each pod is another note of each of its
 * volumes, from after the staging until before the unstaging.
 */
public final class KubeletHandles implements StagedHandles {
    private static final String NOTE = "vol_data.json";
    private static final String VOLUMES = "kubernetes.io~csi";

    /** The way back from {@code plugins/kubernetes.io/csi/DRIVER/HASH/globalmount}. */
    private static final String TO_KUBELET = "../../../../../..";

    private static final long LONGEST = 64 << 10;
    private static final Pattern HANDLE = Pattern.compile("\"volumeHandle\"\\s*:\\s*\"([^\"\\\\]+)\"");

    @Override
    public Optional<String> at(Path staging) {
        Path note = staging.resolveSibling(NOTE);
        return handle(note).filter(it -> isOf(it, note));
    }

    @Override
    public Optional<String> note(Path staging) {
        Path note = staging.resolveSibling(NOTE);
        try {
            BasicFileAttributes its = Files.readAttributes(note, BasicFileAttributes.class);
            return at(staging).map(it -> it + " " + its.fileKey() + " " + its.lastModifiedTime());
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    @Override
    public Set<Path> ofPods(Set<Path> staging) {
        Map<Path, Set<String>> held = new HashMap<>();
        return staging.stream()
                .filter(path -> at(path).filter(handle -> held.computeIfAbsent(
                                        path.resolve(TO_KUBELET).normalize(), KubeletHandles::ofPods)
                                .contains(handle))
                        .isPresent())
                .collect(Collectors.toSet());
    }

    /** Returns the handles of all volumes that pods have, in the folder of one kubelet. */
    private static Set<String> ofPods(Path kubelet) {
        return inside(kubelet.resolve("pods")).stream()
                .flatMap(pod -> inside(pod.resolve("volumes").resolve(VOLUMES)).stream())
                .flatMap(volume -> handle(volume.resolve(NOTE)).stream())
                .collect(Collectors.toSet());
    }

    private static List<Path> inside(Path folder) {
        List<Path> all = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder)) {
            found.forEach(all::add);
        } catch (IOException | DirectoryIteratorException _) {
            return all; // a pod without volumes, or one that ends now
        }
        return all;
    }

    private static Optional<String> handle(Path note) {
        try {
            if (!Files.isRegularFile(note) || Files.size(note) > LONGEST) {
                return Optional.empty();
            }
            Matcher found = HANDLE.matcher(Files.readString(note));
            return found.find() ? Optional.of(found.group(1)) : Optional.empty();
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
