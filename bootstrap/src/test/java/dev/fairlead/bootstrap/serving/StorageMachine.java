package dev.fairlead.bootstrap.serving;

import java.io.IOException;

/**
 * A machine with LIO and nvmet that is commanded over ssh, and on it one target of the tests' own with one LUN, or one
 * subsystem with one namespace, on the same disk.
 *
 * @param host its name, by which the machine of the tests reaches it
 * @param key the file of a key that lets in as root
 * @param name the end of the target's name
 * @param port the port of the target's portal
 */
record StorageMachine(String host, String key, String name, int port) {
    static final String IQN = "iqn.2026-11.test.lab:socket";
    static final String NQN = "nqn.2026-11.test.lab:socket";
    static final String USER = "user";
    static final String PASSWORD = "a-pass-word-12";
    static final String TARGET_USER = "peer";
    static final String TARGET_PASSWORD = "mutual-word-12";

    StorageMachine(String host, String key) {
        this(host, key, "socket", 3260);
    }

    /** Returns the same machine with another target, at a portal of its own. */
    StorageMachine second() {
        return new StorageMachine(host, key, "second", 3261);
    }

    String iqn() {
        return IQN.replace("socket", name);
    }

    String portal() {
        return host + ":" + port;
    }

    /** Returns the beginning of each script: the places of the target, the subsystem and their disk. */
    private String names() {
        return """
            set -eu
            file=/srv/%1$s
            core=/sys/kernel/config/target/core/iblock_77/%1$s
            target=/sys/kernel/config/target/iscsi/%2$s
            tpg=$target/tpgt_1
            subsystem=/sys/kernel/config/nvmet/subsystems/%3$s
            port=/sys/kernel/config/nvmet/ports/99/subsystems
            loop=$(losetup -j $file | cut -d: -f1)
            """.formatted(name, iqn(), NQN);
    }

    String run(String script) throws IOException, InterruptedException {
        return new RemoteShell(host, key).run(names() + script);
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
                printf 5f1c2d3e-${core##*/} >$core/wwn/vpd_unit_serial
                printf 1 >$core/enable
                mkdir -p $tpg/lun/lun_0 $tpg/np/0.0.0.0:%d
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
                """.formatted(port, USER, PASSWORD, TARGET_USER, TARGET_PASSWORD));
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

    /** Lets nothing leave the target's port for a time; those of other ports are answered. */
    void silence(int seconds) throws IOException, InterruptedException {
        String rule = "pref 77 ipproto tcp sport " + port + " blackhole";
        var _ = run("ip rule add " + rule + "; (sleep " + seconds + "; ip rule delete " + rule
                + ") </dev/null >/dev/null 2>&1 &");
    }

    /** Ends the silence of the port, if it has not ended. */
    void endSilence() throws IOException, InterruptedException {
        var _ = run("ip rule delete pref 77 2>/dev/null || true");
    }

    /** Returns how many sessions the target has. */
    int sessions() throws IOException, InterruptedException {
        return Integer.parseInt(
                run("ls -d $tpg/dynamic_sessions >/dev/null; tr -d '\\0' <$tpg/dynamic_sessions | wc -l")
                        .strip());
    }
}
