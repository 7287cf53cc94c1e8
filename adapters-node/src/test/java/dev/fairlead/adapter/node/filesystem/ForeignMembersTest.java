package dev.fairlead.adapter.node.filesystem;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.fairlead.adapter.node.mount.KernelNode;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.port.in.node.StageVolume;
import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.format.DeviceFindings.Kind;
import dev.fairlead.domain.format.DeviceFindings.Signature;
import dev.fairlead.domain.format.FormatGuard;
import dev.fairlead.domain.format.FormatGuard.Begun;
import dev.fairlead.domain.format.FormatGuard.Born;
import dev.fairlead.domain.format.FormatGuard.Decision;
import dev.fairlead.domain.format.FormatGuard.Evidence;
import dev.fairlead.domain.format.HostFinding;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real devices that are members of something larger, by what LVM, md and cryptsetup write onto them. */
class ForeignMembersTest {
    private static final int SIZE = 64 << 20;
    private static final Attachment.Iscsi VOLUME =
            new Attachment.Iscsi("10.0.0.1:3260", List.of(), "", "iqn.2026-11.test:pvc-1", 0);

    private final TestWork work = TestWork.patient();

    @RegisterExtension
    final MountSandbox sandbox = new MountSandbox();

    private final KernelNode node = KernelNode.of(Duration.ofSeconds(30));
    private Optional<LoopDevice> loop = Optional.empty();
    private Path file = Path.of("/nonexistent");
    private Path device = Path.of("/nonexistent");

    /** A member, as the program writes it that makes one, with nothing else on the device. */
    enum Member {
        LVM2("LVM2_member", 512) {
            @Override
            void write(ByteBuffer label) {
                label.put("LABELONE".getBytes(US_ASCII)).putLong(1); // the sector that it is in
                label.putInt(20, 32).put(24, "LVM2 001".getBytes(US_ASCII));
                label.put(32, "0123456789abcdefghijABCDEFGHIJKL".getBytes(US_ASCII))
                        .putLong(64, SIZE);
                label.putInt(16, crc(label, 20, 512));
            }
        },
        /** Made by {@code mdadm --metadata=1.2}, which is its default. */
        RAID_1_2("linux_raid_member", 4096) {
            @Override
            void write(ByteBuffer superblock) {
                md1(superblock, 4096);
            }
        },
        RAID_1_1("linux_raid_member", 0) {
            @Override
            void write(ByteBuffer superblock) {
                md1(superblock, 0);
            }
        },
        /** At the end, so that a boot loader finds a file system at the beginning. */
        RAID_1_0("linux_raid_member", SIZE - 8192) {
            @Override
            void write(ByteBuffer superblock) {
                md1(superblock, SIZE - 8192);
            }
        },
        RAID_0_90("linux_raid_member", SIZE - (64 << 10)) {
            @Override
            void write(ByteBuffer superblock) {
                superblock.putInt(MD_MAGIC).putInt(0).putInt(90).putInt(0).putInt(0);
                superblock.putInt(0x5f1c2d3e).putInt(1_700_000_000).putInt(1).putInt((SIZE >> 10) - 64);
                superblock.putInt(2).putInt(2).putInt(0).putInt(0);
                superblock.putInt(1).putInt(2).putInt(3);
            }
        },
        LUKS("crypto_LUKS", 0) {
            @Override
            void write(ByteBuffer header) {
                header.order(ByteOrder.BIG_ENDIAN);
                header.put(new byte[] {'L', 'U', 'K', 'S', (byte) 0xba, (byte) 0xbe})
                        .putShort((short) 1);
                header.put(8, "aes".getBytes(US_ASCII)).put(40, "xts-plain64".getBytes(US_ASCII));
                header.put(72, "sha256".getBytes(US_ASCII)).putInt(104, 4096).putInt(108, 64);
                header.put(168, "5f1c2d3e-0000-4000-8000-000000000001".getBytes(US_ASCII));
            }
        };

        private static final int MD_MAGIC = 0xa92b4efc;

        private final String type;
        private final long place;

        Member(String type, long place) {
            this.type = type;
            this.place = place;
        }

        abstract void write(ByteBuffer little);

        private ByteBuffer bytes() {
            ByteBuffer bytes = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
            write(bytes);
            return bytes.clear();
        }

        /** Writes the superblock of the first of two mirrors. */
        private static void md1(ByteBuffer superblock, long place) {
            superblock.putInt(MD_MAGIC).putInt(1);
            superblock.putLong(16, 0x5f1c2d3e).putLong(24, 1).put(32, "nas:0".getBytes(US_ASCII));
            superblock
                    .putLong(64, 1_700_000_000)
                    .putInt(72, 1)
                    .putLong(80, (SIZE >> 9) - 4096)
                    .putInt(92, 2);
            superblock.putLong(128, 2048).putLong(136, (SIZE >> 9) - 4096).putLong(144, place >> 9);
            superblock
                    .putLong(168, 7)
                    .putLong(192, 1_700_000_000)
                    .putLong(200, 17)
                    .putLong(208, -1);
            superblock.putInt(220, 2).putShort(256, (short) 0).putShort(258, (short) 1);
            long sum = 0;
            for (int at = 0; at < 256 + 2 * 2; at += 4) {
                sum += Integer.toUnsignedLong(superblock.getInt(at));
            }
            superblock.putInt(216, (int) ((sum & 0xffff_ffffL) + (sum >>> 32)));
        }

        /** Computes the checksum of LVM, which begins with a number of its own and inverts nothing. */
        private static int crc(ByteBuffer bytes, int from, int to) {
            int crc = 0xf597a6cf;
            for (int at = from; at < to; at++) {
                crc ^= bytes.get(at) & 0xff;
                for (int bit = 0; bit < 8; bit++) {
                    crc = (crc & 1) == 0 ? crc >>> 1 : (crc >>> 1) ^ 0xedb88320;
                }
            }
            return crc;
        }
    }

    /** Attaches the loop device, and has nothing to detach. */
    private record GivenDevice(Path device) implements Attacher<Attachment.Iscsi> {
        @Override
        public Class<Attachment.Iscsi> handles() {
            return Attachment.Iscsi.class;
        }

        @Override
        public boolean offersBlock() {
            return true;
        }

        @Override
        public boolean outlivesMount() {
            return true;
        }

        @Override
        public void check(Attach<Attachment.Iscsi> request) {}

        @Override
        public Attached attach(Attach<Attachment.Iscsi> request, Work work) {
            return new Attached.Device(device, Map.of());
        }

        @Override
        public boolean shows(Attachment.Iscsi attachment, MountEntry mount, Work work) {
            return mount.source().equals(device.toString());
        }
    }

    @BeforeEach
    void make_a_device() throws IOException {
        LoopDevice made = LoopDevice.of(node, SIZE, work);
        loop = Optional.of(made);
        file = made.file();
        device = made.path();
    }

    @AfterEach
    void take_it_away() throws IOException {
        sandbox.close();
        if (loop.isPresent()) {
            loop.get().close();
        }
    }

    private void write(Member member) throws IOException {
        try (RandomAccessFile all = new RandomAccessFile(device.toFile(), "rw")) {
            all.seek(member.place);
            all.write(member.bytes().array());
            all.getFD().sync();
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_member_is_foreign_whatever_else_is_known(Member member) throws IOException {
        write(member);

        var findings = node.filesystems().probe(device, work);

        assertThat(findings.signatures())
                .extracting(Signature::kind, Signature::type)
                .containsExactly(tuple(Kind.OTHER, member.type));
        for (Begun begun : Begun.values()) {
            assertThat(FormatGuard.decide(
                            new Evidence(findings, Born.EMPTY, Optional.empty(), begun, HostFinding.BLANK)))
                    .as(begun.toString())
                    .isEqualTo(new Decision.Refuse(FormatGuard.Reason.FOREIGN, member.type));
        }
    }

    @ParameterizedTest
    @EnumSource
    void nodes_neither_mount_a_member_nor_write_to_it(Member member) throws IOException {
        write(member);
        byte[] before = Files.readAllBytes(file);
        Path staging = sandbox.directory("staging");
        var stage = node.useCases(new GivenDevice(device), sandbox.directory("journal"))
                .stageVolume();
        var command = new StageVolume.Command(
                "v:nas/pvc-1", staging, TestVolumes.MOUNT, AttachmentCodec.encode(VOLUME), Map.of(), Map.of());

        assertThatThrownBy(() -> stage.stage(command, work))
                .hasMessageContaining("FL-NODE-008")
                .hasMessageContaining(member.type)
                .extracting("failure")
                .isInstanceOf(Failure.FormatRefused.class);

        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        assertThat(sandbox.mounts()).isEmpty();
    }
}
