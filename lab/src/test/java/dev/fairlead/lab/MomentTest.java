package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.fairlead.lab.Moment.Aim;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whether a kill that struck elsewhere is told from one that struck where it should. */
class MomentTest {
    private static final Path FOLDER = Path.of("/lab");
    private static final int LANE = 7;

    private final List<Moment> moments = Moment.of(
            Trace.parse("""
                    5 write(40<anon_inode:[eventfd]>, "\\1\\0", 8) = 8
                    7 openat(AT_FDCWD</>, "/lab/base/owner", O_RDONLY|O_NOFOLLOW) = 46</lab/base/owner>
                    7 mkdir("/lab/base/.fairlead/partial/bdacb40a.folder.volume.v1", 0777 <unfinished ...>
                    9 unlinkat(46</lab/base/.fairlead/trash>, "6183e29b-c896-4050-930e-5275ed5d60d8", AT_REMOVEDIR) = 0
                    7 <... mkdir resumed>) = 0
                    7 openat(AT_FDCWD</>, "/lab/base/x", O_WRONLY|O_CREAT|O_EXCL, 0600) = 46</lab/base/x>
                    7 write(46</lab/base/x>, "{\\"at\\": \\"10:00\\"}", 17) = 17
                    7 chmod("/lab/base/y", 0700) = -1 ENOENT (No such file or directory)
                    8 mkdir("/lab/base/of a program", 0777) = 0
                    6 mount_setattr(47</>, "", AT_EMPTY_PATH, {attr_set=MOUNT_ATTR_RDONLY}, 32) = 0
                    7 ioctl(46</lab/base/z>, BTRFS_IOC_CLONE or FICLONE, 73) = 0
                    7 quotactl_fd(46</lab/base/z>, QCMD(Q_SETQUOTA, PRJQUOTA), 1000000003, {dqb_bhardlimit=4}) = 0
                    5 write(2</lab/driver.log>, "call ms=67\\n", 81) = 81
                    6 writev(45<socket:[1]>, [{iov_base="/lab/base/x", iov_len=9}], 1) = 9
                    """.lines().toList()), FOLDER, LANE, Path.of("/lab/driver.log"), Set.of(5, 6, LANE, 9));

    @Test
    void each_change_is_a_moment_and_nothing_else_is() {
        assertThat(moments)
                .extracting(Moment::toString)
                .containsExactly(
                        "unlinkat(FD</lab/base/.fairlead/trash>, \"UUID\", AT_REMOVEDIR)",
                        "mkdir(\"/lab/base/.fairlead/partial/WORD.folder.volume.v1\", 0777)",
                        "openat(AT_FDCWD</>, \"/lab/base/x\", O_WRONLY|O_CREAT|O_EXCL, 0600)",
                        "write(FD</lab/base/x>)",
                        "mount_setattr(FD</>, \"\", AT_EMPTY_PATH, {attr_set=MOUNT_ATTR_RDONLY}, 32)",
                        "ioctl(FD</lab/base/z>, BTRFS_IOC_CLONE or FICLONE, NUMBER)",
                        "quotactl_fd(FD</lab/base/z>, QCMD(Q_SETQUOTA, PRJQUOTA), NUMBER, {dqb_bhardlimit=4})",
                        "write(FD</lab/driver.log>)");
    }

    @Test
    void what_does_not_change_anything_is_counted_as_strace_counts_it() {
        assertThat(moments)
                .extracting(Moment::aim, Moment::nth)
                .contains(tuple(Aim.LANE, 2), tuple(Aim.LOG, 1), tuple(Aim.OTHERS, 1));
    }

    @Test
    void a_death_in_the_same_call_after_the_same_changes_is_a_hit() {
        assertThat(missed("""
                mkdir("/lab/base/.fairlead/partial/0123abcd.folder.volume.v1", 0777) = 0
                openat(AT_FDCWD</>, "/lab/base/x", O_WRONLY|O_CREAT|O_EXCL, 0600) = 50</lab/base/x>
                write(50</lab/base/x>, "{}", 2) = ?
                +++ killed by SIGKILL +++
                """)).isEmpty();
    }

    @Test
    void a_death_elsewhere_or_after_other_changes_is_a_miss() {
        String made = "mkdir(\"/lab/base/.fairlead/partial/0123abcd.folder.volume.v1\", 0777) = 0\n";
        String opened = "openat(AT_FDCWD</>, \"/lab/base/x\", O_WRONLY|O_CREAT|O_EXCL, 0600) = 50</lab/base/x>\n";

        assertThat(missed(made + opened + "write(51</lab/base/y>, \"{}\", 2) = ?\n"))
                .isNotEmpty();
        assertThat(missed(made + opened + "write(50</lab/base/x>, \"{}\", 2) = 2\n"))
                .isNotEmpty();
        assertThat(missed(opened + "write(50</lab/base/x>, \"{}\", 2) = ?\n")).isNotEmpty();
        assertThat(missed("")).isNotEmpty();
    }

    private String missed(String log) {
        Moment write = moments.stream()
                .filter(moment -> moment.toString().equals("write(FD</lab/base/x>)"))
                .findFirst()
                .orElseThrow();
        return write.missedBy(Trace.parse(log.lines().toList()), FOLDER, LANE).orElse("");
    }
}
