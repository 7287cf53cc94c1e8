package dev.fairlead.adapter.node.smb;

import dev.fairlead.adapter.node.share.FileProtocol;
import dev.fairlead.adapter.node.share.ShareLocation;
import dev.fairlead.adapter.node.share.ShareValues;
import dev.fairlead.adapter.node.share.SmbLocation;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.mount.MountOptions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows shares of SMB servers. Who logs in is read from the stage secrets, also from mount options, and reaches
 * {@code mount.cifs} by its standard input alone.
 */
final class SmbProtocol implements FileProtocol<Attachment.Smb> {
    private static final List<String> TYPES = List.of("cifs", "smb3");
    private static final String FLAGS = "mount_flags";
    private static final String GUEST = "guest";

    /** Options that would show another directory than the attachment names, or read a file of the node. */
    private static final Pattern REFUSED =
            Pattern.compile("(?i)(unc|target|path|source|prefixpath|prepath|cred|credentials|password2|pass2)(=.*)?");

    /** Security modes in which the password does not come from here. */
    private static final Pattern NO_PASSWORD = Pattern.compile("(?i)sec=(none|krb5i?)");

    private static final Logger log = LoggerFactory.getLogger(SmbProtocol.class);

    @Override
    public Class<Attachment.Smb> handles() {
        return Attachment.Smb.class;
    }

    @Override
    public boolean takesSecrets() {
        return true;
    }

    @Override
    public boolean takesGroup() {
        return true;
    }

    @Override
    public void check(Attach<Attachment.Smb> request) {
        SmbCredentials shown = new SmbCredentials();
        var _ = options(FLAGS, request.capability().mountFlags(), shown);
        if (shown.hasPassword()) {
            log.atWarn()
                    .addKeyValue("volume", request.handle())
                    .log("the volume's mount options hold a password, which everybody can read who may list"
                            + " PersistentVolumes; move it to the key password of its node-stage secret");
        }
        var _ = filesystem(request);
    }

    @Override
    public Filesystem filesystem(Attach<Attachment.Smb> request) {
        String type = ShareValues.fsType(request, TYPES, "an SMB share");
        SmbCredentials credentials = new SmbCredentials();
        SequencedSet<String> options = new LinkedHashSet<>();
        options(FLAGS, request.capability().mountFlags(), credentials).forEach(options::addLast);
        Optional.ofNullable(request.secrets().get(FLAGS))
                .map(Secret::reveal)
                .ifPresent(flags ->
                        options("secrets." + FLAGS, List.of(flags), credentials).forEach(options::addLast));
        options.addAll(groupOptions(request.capability().group(), options));
        credentials.take(request.secrets());
        boolean asksNobody = options.contains(GUEST)
                || options.stream().anyMatch(it -> NO_PASSWORD.matcher(it).matches());
        Optional<Secret> input = Optional.empty();
        if (!credentials.isEmpty()) {
            input = Optional.of(credentials.input(!asksNobody));
            options.add(SmbCredentials.OPTION);
        } else if (!asksNobody) {
            options.add(GUEST);
        }
        return new Filesystem(type, SmbLocation.of(request.attachment()).source(), List.copyOf(options), input);
    }

    /**
     * Returns the options that let a group read and write all files, as far as those that are given leave it open. The
     * server knows no owners of this node, so the mount tells them.
     */
    private static List<String> groupOptions(String group, Set<String> given) {
        return group.isEmpty()
                ? List.of()
                : Stream.of("gid=" + group, "file_mode=0775", "dir_mode=0775")
                        .filter(option -> given.stream()
                                .noneMatch(it -> it.startsWith(option.substring(0, option.indexOf('=') + 1))))
                        .toList();
    }

    /** Returns the options without those that say who logs in, which the credentials take. */
    private static List<String> options(String field, List<String> flags, SmbCredentials credentials) {
        List<String> options = new ArrayList<>();
        for (String option : MountOptions.of(field, flags)) {
            if (REFUSED.matcher(option).matches()) {
                throw new StorageException(new Failure.InvalidRequest(
                        field,
                        "'" + option.replaceAll("=.*", "=…")
                                + "' is not allowed in a volume (expected: the share in"
                                + " volume_context, and the keys username, password and domain in the node-stage"
                                + " secret)"));
            }
            if (!credentials.take(field, option)) {
                options.addAll(ShareValues.options(field, List.of(option)));
            }
        }
        return options;
    }

    @Override
    public ShareLocation location(Attachment.Smb attachment) {
        return SmbLocation.of(attachment);
    }

    @Override
    public boolean isOf(MountEntry mount) {
        return SmbLocation.isSmb(mount);
    }

    @Override
    public Optional<Attachment.Smb> recognise(MountEntry mount) {
        return SmbLocation.of(mount).map(SmbLocation::attachment);
    }
}
