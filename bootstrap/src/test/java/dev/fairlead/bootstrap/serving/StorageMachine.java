package dev.fairlead.bootstrap.serving;

import java.io.IOException;

/**
 * A machine with LIO and nvmet that is commanded over ssh, and on it one target of the tests' own with one LUN, or one
 * subsystem with one namespace, on the same disk.
 *
 * @param host its name, by which the machine of the tests reaches it
 * @param key the file of a key that lets in as root
 */
record StorageMachine(String host, String key) {
    static final String IQN = "iqn.2026-11.test.lab:socket";
    static final String NQN = "nqn.2026-11.test.lab:socket";
    static final String USER = "user";
    static final String PASSWORD = "a-pass-word-12";
    static final String TARGET_USER = "peer";
    static final String TARGET_PASSWORD = "mutual-word-12";

    private static final String NAMES = """
            set -eu
            file=/srv/socket
            core=/sys/kernel/config/target/core/iblock_77/socket
            target=/sys/kernel/config/target/iscsi/%s
            tpg=$target/tpgt_1
            subsystem=/sys/kernel/config/nvmet/subsystems/%s
            port=/sys/kernel/config/nvmet/ports/99/subsystems
            loop=$(losetup -j $file | cut -d: -f1)
            """.formatted(IQN, NQN);

    String run(String script) throws IOException, InterruptedException {
        return new RemoteShell(host, key).run(NAMES + script);
    }

    /** Makes the target anew, which asks for CHAP of both ends. */
    void makeTarget() throws IOException, InterruptedException {
        removeTarget();
        var _ = run("""
                modprobe loop
                truncate -s 64M $file
                loop=$(losetup --find --show $file)
                mkdir -p $core
                printf udev_path=$loop >$core/control
                printf 5f1c2d3e-socket >$core/wwn/vpd_unit_serial
                printf 1 >$core/enable
                mkdir -p $tpg/lun/lun_0 $tpg/np/0.0.0.0:3260
                ln -s $core $tpg/lun/lun_0/socket
                printf 1 >$tpg/attrib/authentication
                printf 0 >$tpg/attrib/demo_mode_write_protect
                printf 1 >$tpg/attrib/generate_node_acls
                printf 1 >$tpg/attrib/cache_dynamic_acls
                printf %s >$tpg/auth/userid
                printf %s >$tpg/auth/password
                printf %s >$tpg/auth/userid_mutual
                printf %s >$tpg/auth/password_mutual
                printf 1 >$tpg/enable
                """.formatted(USER, PASSWORD, TARGET_USER, TARGET_PASSWORD));
    }

    void removeTarget() throws IOException, InterruptedException {
        var _ = run("""
                if [ -d $target ]; then
                  printf 0 >$tpg/enable
                  rm -f $tpg/lun/lun_0/socket
                  for folder in $tpg/acls/* $tpg/lun/* $tpg/np/*; do [ ! -d $folder ] || rmdir $folder; done
                  rmdir $tpg $target
                fi
                [ ! -d $core ] || rmdir $core
                [ -z "$loop" ] || losetup -d $loop
                rm -f $file
                """);
    }

    /** Makes the subsystem anew, with one namespace that every host may use. */
    void makeSubsystem() throws IOException, InterruptedException {
        removeSubsystem();
        var _ = run("""
                modprobe loop
                truncate -s 64M $file
                loop=$(losetup --find --show $file)
                mkdir $subsystem $subsystem/namespaces/1
                printf 1 >$subsystem/attr_allow_any_host
                printf $loop >$subsystem/namespaces/1/device_path
                printf 1 >$subsystem/namespaces/1/enable
                ln -s $subsystem $port/
                """);
    }

    void removeSubsystem() throws IOException, InterruptedException {
        var _ = run("""
                rm -f $port/${subsystem##*/}
                if [ -d $subsystem ]; then
                  printf 0 >$subsystem/namespaces/1/enable
                  rmdir $subsystem/namespaces/1 $subsystem
                fi
                [ -z "$loop" ] || losetup -d $loop
                rm -f $file
                """);
    }

    /** Has the subsystem look at its disk anew, whose size it remembers. */
    void tellOfGrowth() throws IOException, InterruptedException {
        var _ = run("printf 1 >$subsystem/namespaces/1/revalidate_size");
    }

    void grow(int megabytes) throws IOException, InterruptedException {
        var _ = run("truncate -s " + megabytes + "M $file; losetup -c $loop");
    }

    /** Writes a partition table with one partition. */
    void partition() throws IOException, InterruptedException {
        var _ = run("""
                printf '\\0\\0\\0\\0\\203\\0\\0\\0\\0\\010\\0\\0\\0\\0\\1\\0' | dd of=$loop bs=1 seek=446 conv=notrunc 2>&1
                printf '\\125\\252' | dd of=$loop bs=1 seek=510 conv=notrunc,fsync 2>&1
                """);
    }

    /** Lets nothing leave the machine for a time, from a second after this on. */
    void silence(int seconds) throws IOException, InterruptedException {
        var _ = run("""
                modprobe sch_netem
                (sleep 1; tc qdisc replace dev eth0 root netem loss 100%%
                sleep %d; tc qdisc delete dev eth0 root) </dev/null >/dev/null 2>&1 &
                """.formatted(seconds));
        Thread.sleep(1500);
    }

    /** Returns how many sessions the target has. */
    int sessions() throws IOException, InterruptedException {
        return Integer.parseInt(
                run("ls -d $tpg/dynamic_sessions >/dev/null; tr -d '\\0' <$tpg/dynamic_sessions | wc -l")
                        .strip());
    }
}
