package dev.fairlead.testkit;

import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.fairlead.application.port.out.export.AccessControl;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.store.ContentTransfer;
import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.out.store.VolumeModification;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.rules.AllowedLibraries;
import dev.fairlead.testkit.rules.ContractPerImplementation;
import dev.fairlead.testkit.rules.NullMarkedPackage;
import dev.fairlead.testkit.rules.Origin;
import dev.fairlead.testkit.rules.SourceLength;
import dev.fairlead.testkit.rules.TellingName;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Rules on the shape of an adapter. A module takes them in with three lines, its tests being part of what is analysed:
 *
 * <pre>{@code
 * @AnalyzeClasses(packages = "dev.fairlead.adapter.local")
 * class ArchitectureTest {
 *     @ArchTest static final ArchTests adapter = ArchTests.in(AdapterRules.class);
 * }
 * }</pre>
 */
public final class AdapterRules {
    @ArchTest
    static final ArchRule adapters_know_ports_domain_and_their_own_libraries = classes()
            .that(are(Origin.WRITTEN))
            .and()
            .resideInAPackage(AllowedLibraries.ADAPTERS + ".")
            .should(new AllowedLibraries());

    @ArchTest
    static final ArchRule only_entry_points_are_public = classes()
            .that(are(Origin.WRITTEN))
            .and()
            .arePublic()
            .and()
            .areTopLevelClasses()
            .and()
            .resideOutsideOfPackages("..zfs.asset..", "..zfs.cli..", "..zfs.host..", "..csi.v1..")
            .should()
            .haveNameMatching(".*\\.(\\w*Module|\\w*Settings(Builder)?|GrpcServer|CsiProbe|package-info)")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule every_package_is_null_marked =
            classes().that(are(Origin.WRITTEN)).should(new NullMarkedPackage());

    @ArchTest
    static final ArchRule fields_are_private = fields().that()
            .areDeclaredInClassesThat(are(Origin.WRITTEN))
            .and(describeField("are no constants", AdapterRules::isNoConstant))
            .should()
            .bePrivate()
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule fields_are_final_or_safe = fields().that()
            .areDeclaredInClassesThat(are(Origin.WRITTEN))
            .should(
                    new ArchCondition<>(
                            "be final, or volatile, or belong to a class that synchronises or that is used by one call alone") {
                        @Override
                        public void check(JavaField field, ConditionEvents events) {
                            Set<JavaModifier> modifiers = field.getModifiers();
                            boolean fine = modifiers.contains(JavaModifier.FINAL)
                                    || modifiers.contains(JavaModifier.SYNTHETIC)
                                    || (!modifiers.contains(JavaModifier.STATIC)
                                            && (modifiers.contains(JavaModifier.VOLATILE)
                                                    || isGuarded(Origin.topLevel(field.getOwner()))
                                                    || isConfined(field.getOwner(), new HashSet<>())));
                            events.add(new SimpleConditionEvent(field, fine, field.getFullName() + " is not final"));
                        }
                    })
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule nothing_is_injected_into_fields = fields().that()
            .areDeclaredInClassesThat(are(Origin.WRITTEN))
            .should()
            .notBeAnnotatedWith("jakarta.inject.Inject")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule nothing_has_setters = methods()
            .that()
            .areDeclaredInClassesThat(are(Origin.WRITTEN))
            .and()
            .haveNameMatching("set[A-Z].*")
            .should(new ArchCondition<>("leave the fields of their object alone") {
                @Override
                public void check(JavaMethod method, ConditionEvents events) {
                    boolean sets = method.getFieldAccesses().stream()
                            .anyMatch(access -> access.getAccessType() == JavaFieldAccess.AccessType.SET);
                    events.add(new SimpleConditionEvent(method, !sets, method.getFullName() + " is a setter"));
                }
            })
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule only_known_unchecked_exceptions_are_made = noClasses()
            .that(are(Origin.WRITTEN))
            .should()
            .callConstructorWhere(
                    describeCall("it is an unchecked exception of another kind", AdapterRules::isStrangeException));

    @ArchTest
    static final ArchRule names_say_what_a_class_is =
            classes().that(are(Origin.WRITTEN)).should(new TellingName());

    @ArchTest
    static final ArchRule stores_pass_their_contract =
            classes().should(new ContractPerImplementation(VolumeStore.class, VolumeStoreContract.class));

    @ArchTest
    static final ArchRule snapshot_stores_pass_their_contract =
            classes().should(new ContractPerImplementation(SnapshotStore.class, SnapshotStoreContract.class));

    @ArchTest
    static final ArchRule groups_of_snapshots_pass_their_contract =
            classes().should(new ContractPerImplementation(SnapshotGroups.class, SnapshotGroupsContract.class));

    @ArchTest
    static final ArchRule modifications_pass_their_contract =
            classes().should(new ContractPerImplementation(VolumeModification.class, VolumeModificationContract.class));

    @ArchTest
    static final ArchRule transfers_pass_their_contract =
            classes().should(new ContractPerImplementation(ContentTransfer.class, ContentTransferContract.class));

    @ArchTest
    static final ArchRule exporters_pass_their_contract =
            classes().should(new ContractPerImplementation(Exporter.class, ExporterContract.class));

    @ArchTest
    static final ArchRule access_controls_pass_their_contract =
            classes().should(new ContractPerImplementation(AccessControl.class, AccessControlContract.class));

    @ArchTest
    static final ArchRule attachers_pass_their_contract =
            classes().should(new ContractPerImplementation(Attacher.class, AttacherContract.class));

    @ArchTest
    static final ArchRule mounters_pass_their_contract =
            classes().should(new ContractPerImplementation(Mounter.class, MounterContract.class));

    @ArchTest
    static final ArchRule command_runners_pass_their_contract =
            classes().should(new ContractPerImplementation(CommandRunner.class, CommandRunnerContract.class));

    @ArchTest
    static final ArchRule store_factories_pass_their_contract =
            classes().should(new ContractPerImplementation(StoreFactory.class, StoreFactoryContract.class));

    @ArchTest
    static final ArchRule exporter_factories_pass_their_contract =
            classes().should(new ContractPerImplementation(ExporterFactory.class, ExporterFactoryContract.class));

    private AdapterRules() {}

    @ArchTest
    static void no_source_file_is_too_long(JavaClasses classes) {
        assertThat(SourceLength.over(classes)).isEmpty();
    }

    private static boolean isNoConstant(JavaField field) {
        Set<JavaModifier> modifiers = field.getModifiers();
        return !modifiers.contains(JavaModifier.SYNTHETIC)
                && !(modifiers.contains(JavaModifier.STATIC) && modifiers.contains(JavaModifier.FINAL));
    }

    /** A class that locks its own methods or holds a lock may have state that changes. */
    private static boolean isGuarded(JavaClass owner) {
        return owner.getMethods().stream().anyMatch(m -> m.getModifiers().contains(JavaModifier.SYNCHRONIZED))
                || owner.getFields().stream()
                        .anyMatch(f -> f.getRawType().isAssignableTo("java.util.concurrent.locks.Lock"));
    }

    /** What no port's implementation is or keeps lives no longer than the call that made it. */
    private static boolean isConfined(JavaClass type, Set<JavaClass> seen) {
        boolean port = type.getAllRawInterfaces().stream()
                .anyMatch(known -> known.getPackageName().startsWith("dev.fairlead.application.port"));
        return !port
                && (!seen.add(type)
                        || type.getFieldsWithTypeOfSelf().stream()
                                .allMatch(field -> isConfined(field.getOwner(), seen)));
    }

    // A checked exception cannot leave a port unseen, so an adapter may use them inside.
    private static boolean isStrangeException(JavaConstructorCall call) {
        JavaClass made = call.getTargetOwner();
        boolean callOfSuper = call.getOriginOwner().isAssignableTo(Throwable.class);
        boolean unchecked = made.isAssignableTo(RuntimeException.class) || made.isAssignableTo(Error.class);
        return unchecked
                && !callOfSuper
                && !made.isEquivalentTo(StorageException.class)
                && !made.isEquivalentTo(IllegalArgumentException.class)
                && !made.isEquivalentTo(IllegalStateException.class)
                && !made.isEquivalentTo(MatchException.class) // which the compiler puts into every switch
                && !made.getSimpleName().equals("InvalidConfigException")
                && !isOfTheAdapterItself(made, call);
    }

    /** An exception that an adapter translates at its own edge stays inside it. */
    private static boolean isOfTheAdapterItself(JavaClass made, JavaCall<?> call) {
        String origin = call.getOriginOwner().getPackageName();
        return made.getPackageName().startsWith(AllowedLibraries.ADAPTERS)
                && firstFour(made.getPackageName()).equals(firstFour(origin));
    }

    private static String firstFour(String packageName) {
        return String.join(".", Stream.of(packageName.split("\\.")).limit(4).toList());
    }

    private static DescribedPredicate<JavaField> describeField(String words, Predicate<JavaField> test) {
        return DescribedPredicate.describe(words, test);
    }

    private static DescribedPredicate<JavaConstructorCall> describeCall(
            String words, Predicate<JavaConstructorCall> test) {
        return DescribedPredicate.describe(words, test);
    }
}
