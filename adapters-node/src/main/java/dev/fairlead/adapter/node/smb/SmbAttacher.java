package dev.fairlead.adapter.node.smb;

import dev.fairlead.adapter.node.share.ShareValues;
import dev.fairlead.adapter.node.share.SmbLocation;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.Mounts;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attaches shares of SMB servers. There is nothing to attach before the mount and nothing left after it. Who logs in is
 * read from the stage secrets, also from mount options, and reaches {@code mount.cifs} by its standard input alone.
 */
final class SmbAttacher implements Attacher<Attachment.Smb> {
    private static final Set<String> TYPES = Set.of("", "cifs", "smb3");
    private static final String FLAGS = "mount_flags";
    private static final String GUEST = "guest";

    /** Options that would show another directory than the attachment names, or read a file of the node. */
    private static final Pattern REFUSED =
            Pattern.compile("(?i)(unc|target|path|source|prefixpath|prepath|cred|credentials|password2|pass2)(=.*)?");

    /** Security modes in which the password does not come from here. */
    private static final Pattern NO_PASSWORD = Pattern.compile("(?i)sec=(none|krb5i?)");

    private static final Logger log = LoggerFactory.getLogger(SmbAttacher.class);

    private final Mounts mounts;

    SmbAttacher(Mounts mounts) {
        this.mounts = mounts;
    }

    @Override
    public Class<Attachment.Smb> handles() {
        return Attachment.Smb.class;
    }

    @Override
    public boolean offersBlock() {
        return false;
    }

    @Override
    public boolean outlivesMount() {
        return false;
    }

    @Override
    public boolean takesSecrets() {
        return true;
    }

    @Override
    public void check(Attach<Attachment.Smb> request) {
        SmbCredentials shown = new SmbCredentials();
        var _ = options(FLAGS, request.mountFlags(), shown);
        if (shown.hasPassword()) {
            log.atWarn()
                    .addKeyValue("volume", request.handle())
                    .log("the volume's mount options hold a password, which everybody can read who may list"
                            + " PersistentVolumes; move it to the key password of its node-stage secret");
        }
        var _ = filesystem(request);
    }

    @Override
    public Attached attach(Attach<Attachment.Smb> request, Work work) {
        return new Attached.Share(filesystem(request));
    }

    private static Filesystem filesystem(Attach<Attachment.Smb> request) {
        String type = request.fsType();
        if (!TYPES.contains(type)) {
            throw new StorageException(new Failure.InvalidRequest(
                    "volume_capability.mount.fs_type",
                    "'" + type + "' is not what an SMB share has (expected: none, cifs or smb3)"));
        }
        SmbCredentials credentials = new SmbCredentials();
        Set<String> options = new LinkedHashSet<>(options(FLAGS, request.mountFlags(), credentials));
        Optional.ofNullable(request.secrets().get(FLAGS))
                .map(Secret::reveal)
                .ifPresent(flags -> options.addAll(options("secrets." + FLAGS, List.of(flags), credentials)));
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
        return new Filesystem(
                type.isEmpty() ? "cifs" : type,
                SmbLocation.of(request.attachment()).source(),
                List.copyOf(options),
                input);
    }

    /** Returns the options without those that say who logs in, which the credentials take. */
    private static List<String> options(String field, List<String> flags, SmbCredentials credentials) {
        List<String> options = new ArrayList<>();
        for (String flag : flags) {
            for (String option : flag.split(",", -1)) {
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
        }
        return options;
    }

    @Override
    public boolean shows(Attachment.Smb attachment, MountEntry mount, Work work) {
        SmbLocation wanted = SmbLocation.of(attachment);
        return SmbLocation.of(mount).filter(wanted::isSameAs).isPresent();
    }

    @Override
    public Optional<Attachment.Smb> recognise(MountEntry mount, Work work) {
        return SmbLocation.of(mount).map(SmbLocation::attachment);
    }

    @Override
    public boolean mayShow(NativeId id, MountEntry mount) {
        return SmbLocation.isSmb(mount);
    }

    @Override
    public List<String> mountPoints(Attachment.Smb attachment, Work work) {
        SmbLocation volume = SmbLocation.of(attachment);
        return mounts.table(work).stream()
                .filter(mount -> SmbLocation.of(mount).filter(volume::holds).isPresent())
                .map(MountEntry::mountPoint)
                .toList();
    }
}
