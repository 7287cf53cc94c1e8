package dev.fairlead.domain.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.format.DeviceFindings.Kind;
import dev.fairlead.domain.format.DeviceFindings.Signature;
import dev.fairlead.domain.format.FormatGuard.Born;
import dev.fairlead.domain.format.FormatGuard.Decision;
import dev.fairlead.domain.format.FormatGuard.Evidence;
import dev.fairlead.domain.format.FormatGuard.HostFinding;
import dev.fairlead.domain.format.FormatGuard.Reason;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FormatGuardTest {
    private static final Signature EXT4 = new Signature(Kind.FILESYSTEM, "ext4", Optional.of("u"));
    private static final Signature GPT = new Signature(Kind.PARTITION_TABLE, "gpt", Optional.empty());
    private static final Signature LVM = new Signature(Kind.OTHER, "LVM2_member", Optional.empty());

    private static Evidence evidence(boolean zeros, Signature... signatures) {
        return new Evidence(
                new DeviceFindings(1 << 30, List.of(signatures), zeros),
                Born.EMPTY,
                Optional.empty(),
                false,
                Optional.empty());
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
                    for (Optional<String> known : List.of(Optional.<String>empty(), Optional.of("ext4"))) {
                        for (boolean interrupted : new boolean[] {true, false}) {
                            for (Optional<HostFinding> host : List.of(
                                    Optional.<HostFinding>empty(),
                                    Optional.of(HostFinding.BLANK),
                                    Optional.of(HostFinding.WRITTEN))) {
                                var findings = new DeviceFindings(1 << 30, signatures, zeros);
                                var decision =
                                        FormatGuard.decide(new Evidence(findings, born, known, interrupted, host));
                                boolean may = zeros
                                        && signatures.isEmpty()
                                        && born != Born.COPIED
                                        && (known.isEmpty() || interrupted)
                                        && host.filter(HostFinding.WRITTEN::equals)
                                                .isEmpty();
                                assertThat(decision instanceof Decision.Format)
                                        .as("%s %s %s %s %s", findings, born, known, interrupted, host)
                                        .isEqualTo(may);
                                formats += may ? 1 : 0;
                            }
                        }
                    }
                }
            }
        }
        assertThat(formats).isEqualTo(12);
    }

    @Test
    void the_one_file_system_that_is_there_is_used() {
        assertThat(FormatGuard.decide(evidence(false, EXT4))).isEqualTo(new Decision.Use("ext4", Optional.of("u")));
        assertThat(FormatGuard.decide(evidence(false, EXT4, EXT4)))
                .isEqualTo(new Decision.Use("ext4", Optional.of("u")));
    }

    @Test
    void a_refusal_has_its_reason() {
        assertThat(refusal(evidence(false))).contains(Reason.NOT_BLANK);
        assertThat(refusal(evidence(true, GPT))).contains(Reason.PARTITIONED);
        assertThat(refusal(evidence(true, EXT4, LVM))).contains(Reason.FOREIGN);
        assertThat(refusal(evidence(false, EXT4, new Signature(Kind.FILESYSTEM, "xfs", Optional.empty()))))
                .contains(Reason.SEVERAL_SIGNATURES);
    }
}
