package dev.fairlead.domain.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.format.DeviceFindings.Kind;
import dev.fairlead.domain.format.DeviceFindings.Signature;
import dev.fairlead.domain.format.FormatGuard.Begun;
import dev.fairlead.domain.format.FormatGuard.Born;
import dev.fairlead.domain.format.FormatGuard.Decision;
import dev.fairlead.domain.format.FormatGuard.Evidence;
import dev.fairlead.domain.format.FormatGuard.Known;
import dev.fairlead.domain.format.FormatGuard.Reason;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormatGuardTest {
    private static final Signature EXT4 = new Signature(Kind.FILESYSTEM, "ext4", Optional.of("u"));
    private static final Signature GPT = new Signature(Kind.PARTITION_TABLE, "gpt", Optional.empty());
    private static final Signature LVM = new Signature(Kind.OTHER, "LVM2_member", Optional.empty());

    private static Evidence evidence(boolean zeros, Signature... signatures) {
        return new Evidence(
                new DeviceFindings(1 << 30, List.of(signatures), zeros),
                Born.EMPTY,
                Optional.empty(),
                Begun.NO,
                HostFinding.UNKNOWN);
    }

    private static Optional<Reason> refusal(Evidence evidence) {
        return FormatGuard.decide(evidence) instanceof Decision.Refuse refused
                ? Optional.of(refused.reason())
                : Optional.empty();
    }

    @Test
    void only_if_nothing_speaks_against_it_a_device_is_formatted() {
        int formats = 0;
        for (boolean zeros : new boolean[] {true, false}) {
            for (List<Signature> signatures :
                    List.of(List.<Signature>of(), List.of(EXT4), List.of(GPT), List.of(LVM), List.of(EXT4, LVM))) {
                for (Born born : Born.values()) {
                    for (Optional<Known> known :
                            List.of(Optional.<Known>empty(), Optional.of(new Known("ext4", Optional.of("u"))))) {
                        for (Begun begun : Begun.values()) {
                            for (HostFinding host : HostFinding.values()) {
                                var findings = new DeviceFindings(1 << 30, signatures, zeros);
                                var decision = FormatGuard.decide(new Evidence(findings, born, known, begun, host));
                                boolean blank =
                                        zeros && (known.isEmpty() || begun != Begun.NO) && host != HostFinding.WRITTEN;
                                boolean may = signatures.isEmpty()
                                        && born != Born.COPIED
                                        && (blank || begun == Begun.ON_THIS_DEVICE);
                                assertThat(decision instanceof Decision.Format)
                                        .as("%s %s %s %s %s", findings, born, known, begun, host)
                                        .isEqualTo(may);
                                formats += may ? 1 : 0;
                            }
                        }
                    }
                }
            }
        }
        assertThat(formats).isEqualTo(36);
    }

    @Test
    void a_partition_is_used_or_left_alone_and_never_formatted() {
        for (boolean zeros : new boolean[] {true, false}) {
            assertThat(FormatGuard.decidePartition(new DeviceFindings(1 << 30, List.of(), zeros), Optional.empty()))
                    .isInstanceOfSatisfying(
                            Decision.Refuse.class, it -> assertThat(it.reason()).isEqualTo(Reason.PARTITIONED));
        }
        assertThat(FormatGuard.decidePartition(new DeviceFindings(1 << 30, List.of(EXT4), false), Optional.empty()))
                .isEqualTo(new Decision.Use("ext4", Optional.of("u")));
        assertThat(FormatGuard.decidePartition(new DeviceFindings(1 << 30, List.of(LVM), false), Optional.empty()))
                .isInstanceOfSatisfying(
                        Decision.Refuse.class, it -> assertThat(it.reason()).isEqualTo(Reason.FOREIGN));
    }

    @Test
    void a_device_is_partitioned_if_it_has_a_table_and_nothing_else() {
        assertThat(new DeviceFindings(1 << 30, List.of(GPT, GPT), false).isPartitioned())
                .isTrue();
        assertThat(new DeviceFindings(1 << 30, List.of(GPT, EXT4), false).isPartitioned())
                .isFalse();
        assertThat(new DeviceFindings(1 << 30, List.of(), true).isPartitioned()).isFalse();
    }

    @Test
    void an_unfinished_file_system_is_made_anew_only_by_the_node_that_began_it_on_that_device() {
        var findings =
                new DeviceFindings(1 << 30, List.of(new Signature(Kind.UNFINISHED, "xfs", Optional.of("u"))), false);

        for (Begun begun : Begun.values()) {
            var decision = FormatGuard.decide(new Evidence(
                    findings, Born.EMPTY, Optional.of(new Known("xfs", Optional.empty())), begun, HostFinding.BLANK));

            assertThat(decision instanceof Decision.Format).isEqualTo(begun == Begun.ON_THIS_DEVICE);
        }
        assertThat(refusal(evidence(false, EXT4, new Signature(Kind.UNFINISHED, "xfs", Optional.empty()))))
                .contains(Reason.SEVERAL_SIGNATURES);
    }

    @Test
    void the_one_file_system_that_is_there_is_used() {
        assertThat(FormatGuard.decide(evidence(false, EXT4))).isEqualTo(new Decision.Use("ext4", Optional.of("u")));
        assertThat(FormatGuard.decide(evidence(false, EXT4, EXT4)))
                .isEqualTo(new Decision.Use("ext4", Optional.of("u")));
    }

    /** Its word may be days old. */
    @Test
    void the_storage_host_alone_never_has_a_device_formatted() {
        for (Signature found : List.of(EXT4, GPT, LVM)) {
            assertThat(FormatGuard.decide(saying(HostFinding.BLANK, false, found)))
                    .isNotInstanceOf(Decision.Format.class);
        }
        assertThat(refusal(saying(HostFinding.BLANK, false))).contains(Reason.NOT_BLANK);
        assertThat(refusal(saying(HostFinding.WRITTEN, true))).contains(Reason.HOST_SAYS_WRITTEN);
        assertThat(FormatGuard.decide(saying(HostFinding.WRITTEN, false, EXT4)))
                .isEqualTo(new Decision.Use("ext4", Optional.of("u")));
    }

    private static Evidence saying(HostFinding host, boolean zeros, Signature... signatures) {
        Evidence evidence = evidence(zeros, signatures);
        return new Evidence(evidence.findings(), evidence.born(), evidence.known(), evidence.begun(), host);
    }

    @Test
    void a_refusal_has_its_reason() {
        assertThat(refusal(evidence(false))).contains(Reason.NOT_BLANK);
        assertThat(refusal(evidence(true, GPT))).contains(Reason.PARTITIONED);
        assertThat(refusal(evidence(true, EXT4, LVM))).contains(Reason.FOREIGN);
        assertThat(refusal(evidence(false, EXT4, new Signature(Kind.FILESYSTEM, "xfs", Optional.empty()))))
                .contains(Reason.SEVERAL_SIGNATURES);
    }

    @Test
    void another_file_system_than_the_one_that_is_known_is_refused() {
        var findings = new DeviceFindings(1 << 30, List.of(EXT4), false);

        for (var known : List.of(new Known("ext4", Optional.of("u")), new Known("ext4", Optional.of("U")))) {
            assertThat(refusal(known(findings, known))).isEmpty();
        }
        assertThat(refusal(known(findings, new Known("ext4", Optional.empty()))))
                .isEmpty();
        for (var known : List.of(new Known("ext4", Optional.of("v")), new Known("xfs", Optional.of("v")))) {
            assertThat(refusal(known(findings, known))).contains(Reason.ANOTHER_FILESYSTEM);
            assertThat(FormatGuard.decidePartition(findings, Optional.of(known)))
                    .isInstanceOfSatisfying(
                            Decision.Refuse.class,
                            it -> assertThat(it.found()).contains("UUID u,").contains("UUID v"));
        }
    }

    @ParameterizedTest
    @CsvSource({"ext4,squashfs", "xfs,ext4", "btrfs,xfs", "squashfs,ext2"})
    void another_type_than_the_one_that_is_known_is_refused_whatever_has_a_uuid(String before, String now) {
        for (Optional<String> uuid : List.of(Optional.<String>empty(), Optional.of("u"))) {
            var found = new DeviceFindings(1 << 30, List.of(new Signature(Kind.FILESYSTEM, now, uuid)), false);

            assertThat(refusal(known(found, new Known(before, Optional.of("u")))))
                    .contains(Reason.ANOTHER_FILESYSTEM);
            assertThat(refusal(known(found, new Known(before, Optional.empty()))))
                    .contains(Reason.ANOTHER_FILESYSTEM);
        }
    }

    @ParameterizedTest
    @CsvSource({"ext2,ext3", "ext3,ext4", "ext4,ext2", "'',squashfs", "'',ext4", "xfs,xfs"})
    void types_of_one_family_are_no_others_and_an_unknown_type_is_every_type(String before, String now) {
        for (Optional<String> uuid : List.of(Optional.<String>empty(), Optional.of("u"))) {
            var found = new DeviceFindings(1 << 30, List.of(new Signature(Kind.FILESYSTEM, now, uuid)), false);

            assertThat(FormatGuard.decide(known(found, new Known(before, uuid))))
                    .isEqualTo(new Decision.Use(now, uuid));
        }
    }

    /** The type of a format that was cut is what somebody wished for, not what is there. */
    @Test
    void the_type_of_a_format_that_was_cut_refuses_nothing() {
        var found = new DeviceFindings(1 << 30, List.of(EXT4), false);
        var wished = Optional.of(new Known("xfs", Optional.empty()));

        for (Begun begun : List.of(Begun.ON_THIS_DEVICE, Begun.ON_UNKNOWN_DEVICE)) {
            assertThat(FormatGuard.decide(new Evidence(found, Born.EMPTY, wished, begun, HostFinding.UNKNOWN)))
                    .isEqualTo(new Decision.Use("ext4", Optional.of("u")));
        }
    }

    private static Evidence known(DeviceFindings findings, Known known) {
        return new Evidence(findings, Born.EMPTY, Optional.of(known), Begun.NO, HostFinding.UNKNOWN);
    }
}
