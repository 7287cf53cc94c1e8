package dev.fairlead.bootstrap;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.testkit.rules.ClassOrigin;
import dev.fairlead.testkit.rules.EntryPoint;
import dev.fairlead.testkit.rules.NullMarkedPackage;
import dev.fairlead.testkit.rules.OpeningSentence;
import dev.fairlead.testkit.rules.SourceLength;
import dev.fairlead.testkit.rules.TellingName;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/** The shape of the whole tree: who may know whom. Allow-lists, so that a new package is bound by them at once. */
@AnalyzeClasses(packages = "dev.fairlead", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String DOMAIN = "dev.fairlead.domain..";
    private static final String APPLICATION = "dev.fairlead.application..";
    private static final String SERVICE = "dev.fairlead.application.service..";
    private static final String BOOTSTRAP = "dev.fairlead.bootstrap..";
    private static final String[] LIBRARIES = {"dev.fairlead.http..", "dev.fairlead.linux..", "dev.fairlead.zfs.."};
    private static final String DEMO = "dev.fairlead.demo..";
    private static final String ADAPTER = "dev.fairlead.adapter..";
    private static final String TESTKIT = "dev.fairlead.testkit..";
    private static final String SIMULATOR = "dev.fairlead.simulator..";

    /**
     * Where a process begins, ends, and makes its threads; Netty takes a setting from a property only; the demo plays a
     * whole machine.
     */
    private static final Set<String> ALLOWED_TO_TOUCH_THE_PROCESS = Set.of(
            "AffinitySources",
            "Main",
            "Signals",
            "ProcessModule",
            "Driver",
            "AffinityProcess",
            "AccessCheck",
            "ExtraRoots",
            "FactoryModule",
            "ToolComponent",
            "LocalCommandRunner",
            "Transport",
            "Demo",
            "DemoProcess",
            "LabCluster",
            "ClusterDemo",
            "DemoMounts",
            "DemoSteps");

    /** The log of requests names the status of a call that its caller left. */
    private static final Set<String> ALLOWED_TO_NAME_A_STATUS =
            Set.of("StatusMapper", "FailureInterceptor", "RequestLogInterceptor");

    private static final DescribedPredicate<JavaClass> SHIPPED = describe(
            "are part of the product",
            type -> !type.getPackageName().startsWith("dev.fairlead.testkit")
                    && !type.getPackageName().startsWith("dev.fairlead.simulator"));

    @ArchTest
    static final ArchRule the_domain_knows_java_and_itself = classes()
            .that()
            .resideInAPackage(DOMAIN)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    DOMAIN,
                    "java.lang..",
                    "java.util..",
                    "java.time..",
                    "java.math..",
                    "java.nio..",
                    "java.security..",
                    "org.jspecify.annotations..");

    @ArchTest
    static final ArchRule the_application_knows_the_domain_and_a_log = classes()
            .that()
            .resideInAPackage(APPLICATION)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    APPLICATION,
                    DOMAIN,
                    "java.io..", // streams, which a port hands through
                    "java.lang..",
                    "java.util..",
                    "java.time..",
                    "java.math..",
                    "java.nio..",
                    "java.security..",
                    "org.jspecify.annotations..",
                    "org.slf4j..");

    @ArchTest
    static final ArchRule adapters_do_not_know_each_other =
            slices().matching("dev.fairlead.adapter.(*)..").should().notDependOnEachOther();

    /** What a property of a dataset shares, and what a node finds by the dataset's name, is ZFS' own. */
    @ArchTest
    static final ArchRule other_exporters_know_nothing_of_zfs = noClasses()
            .that()
            .implement(Exporter.class)
            .and()
            .doNotHaveFullyQualifiedName("dev.fairlead.adapter.zfs.share.PropertyExporter")
            .and()
            .doNotHaveFullyQualifiedName("dev.fairlead.adapter.zfs.share.LocalPoolExporter")
            .or()
            .resideInAPackage("dev.fairlead.adapter.kernel..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.fairlead.zfs..", "dev.fairlead.adapter.zfs..");

    @ArchTest
    static final ArchRule libraries_do_not_know_each_other =
            slices().matching("dev.fairlead.(http|linux|zfs)..").should().notDependOnEachOther();

    @ArchTest
    static final ArchRule libraries_know_no_adapter_and_no_service = noClasses()
            .that()
            .resideInAnyPackage(LIBRARIES)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ADAPTER, SERVICE, BOOTSTRAP);

    /** What is in none of these rooms would be bound by no rule. */
    @ArchTest
    static final ArchRule every_class_is_in_a_room_with_rules = classes()
            .that(are(ClassOrigin.WRITTEN))
            .should()
            .resideInAnyPackage(Stream.concat(
                            Stream.of(LIBRARIES),
                            Stream.of(DOMAIN, APPLICATION, ADAPTER, DEMO, BOOTSTRAP, TESTKIT, SIMULATOR))
                    .toArray(String[]::new));

    @ArchTest
    static final ArchRule adapters_are_known_by_their_entry_points = noClasses()
            .that(are(ClassOrigin.WRITTEN))
            .and()
            .resideOutsideOfPackage("dev.fairlead.adapter..")
            .should()
            .dependOnClassesThat(describe("are inside an adapter", EntryPoint::isInside));

    @ArchTest
    static final ArchRule in_ports_do_not_know_out_ports = noClasses()
            .that()
            .resideInAPackage("..application.port.in..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("..application.port.out..");

    @ArchTest
    static final ArchRule out_ports_do_not_know_in_ports = noClasses()
            .that()
            .resideInAPackage("..application.port.out..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("..application.port.in..");

    @ArchTest
    static final ArchRule only_bootstrap_knows_the_services = classes()
            .that()
            .resideInAPackage(SERVICE)
            .should()
            .onlyHaveDependentClassesThat()
            .resideInAnyPackage(SERVICE, BOOTSTRAP, TESTKIT);

    @ArchTest
    static final ArchRule nobody_knows_bootstrap = classes()
            .that()
            .resideInAPackage(BOOTSTRAP)
            .should()
            .onlyHaveDependentClassesThat()
            .resideInAPackage(BOOTSTRAP);

    /** It runs the driver as a process, as a user does. */
    @ArchTest
    static final ArchRule the_demo_knows_only_the_messages_of_csi = classes()
            .that()
            .resideInAPackage(DEMO)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    DEMO,
                    "csi.v1..",
                    "pluginregistration.v1..",
                    "com.google.gson..",
                    "com.google.protobuf..",
                    "io.grpc..",
                    "java..",
                    "org.jspecify.annotations..");

    @ArchTest
    static final ArchRule only_the_command_line_knows_the_demo = classes()
            .that()
            .resideInAPackage(DEMO)
            .should()
            .onlyHaveDependentClassesThat()
            .resideInAnyPackage(DEMO, "dev.fairlead.bootstrap.cli..");

    @ArchTest
    static final ArchRule packages_have_no_cycles =
            slices().matching("dev.fairlead.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule one_place_makes_grpc_statuses = noClasses()
            .that(are(ClassOrigin.WRITTEN))
            .and(not(named(ALLOWED_TO_NAME_A_STATUS)))
            .should()
            .accessTargetWhere(describe("it makes a status", ArchitectureTest::makesStatus));

    @ArchTest
    static final ArchRule dagger_stays_at_the_edge = noClasses()
            .that(are(ClassOrigin.WRITTEN))
            .and()
            .resideOutsideOfPackage(BOOTSTRAP)
            .and()
            .haveNameNotMatching(".*(Module|Component)(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dagger..", "jakarta.inject..");

    @ArchTest
    static final ArchRule time_threads_and_the_process_are_handed_in = noClasses()
            .that(are(SHIPPED))
            .and(are(ClassOrigin.WRITTEN))
            .and(not(named(ALLOWED_TO_TOUCH_THE_PROCESS)))
            .should()
            .accessTargetWhere(describe("it is the process's own", ArchitectureTest::touchesTheProcess));

    @ArchTest
    static final ArchRule every_package_is_null_marked =
            classes().that(are(ClassOrigin.WRITTEN)).should(new NullMarkedPackage());

    @ArchTest
    static final ArchRule names_say_what_a_class_is =
            classes().that(are(ClassOrigin.WRITTEN)).should(new TellingName());

    @ArchTest
    static void no_source_file_is_too_long(JavaClasses classes) {
        assertThat(SourceLength.over(classes)).isEmpty();
    }

    @ArchTest
    static void javadoc_opens_with_a_sentence(JavaClasses classes) {
        assertThat(OpeningSentence.otherwise(classes)).isEmpty();
    }

    /** A rule about a package that is not there holds always. */
    @ArchTest
    static void the_import_is_not_empty(JavaClasses classes) {
        assertThat(classes.size()).isGreaterThan(300);
        for (String name : Set.of(
                "dev.fairlead.domain.volume",
                "dev.fairlead.application.port.in",
                "dev.fairlead.application.port.out.store",
                "dev.fairlead.application.service",
                "dev.fairlead.adapter.grpc",
                "dev.fairlead.adapter.local.directory",
                "dev.fairlead.adapter.node",
                "dev.fairlead.bootstrap",
                "dev.fairlead.demo",
                "dev.fairlead.http",
                "dev.fairlead.linux",
                "dev.fairlead.zfs.dataset",
                "dev.fairlead.testkit")) {
            assertThat(classes.containPackage(name)).as(name).isTrue();
            assertThat(classes.getPackage(name).getClasses()).as(name).isNotEmpty();
        }
    }

    private static DescribedPredicate<JavaClass> named(Set<String> names) {
        return describe(
                "are " + names,
                type -> names.contains(ClassOrigin.topLevel(type).getSimpleName()));
    }

    private static boolean makesStatus(JavaAccess<?> access) {
        String owner = access.getTargetOwner().getName();
        String name = access.getTarget().getName();
        boolean constant =
                access.getTarget() instanceof AccessTarget.FieldAccessTarget && owner.equals("io.grpc.Status");
        return constant
                || (owner.equals("io.grpc.Status$Code") && name.equals("toStatus"))
                || (owner.equals("io.grpc.Status") && (name.startsWith("from") || name.startsWith("with")));
    }

    private static boolean touchesTheProcess(JavaAccess<?> access) {
        JavaClass owner = access.getTargetOwner();
        String name = access.getTarget().getName();
        if (owner.isEquivalentTo(System.class)) {
            return Set.of("out", "err", "in", "exit", "getenv", "currentTimeMillis", "setProperty")
                    .contains(name);
        }
        if (owner.isEquivalentTo(Thread.class)) {
            return Set.of("sleep", "<init>", "startVirtualThread", "ofVirtual", "ofPlatform")
                    .contains(name);
        }
        boolean looksAtTheClock = owner.getPackageName().equals("java.time") && name.equals("now");
        return looksAtTheClock
                || owner.isEquivalentTo(Executors.class)
                || (owner.isEquivalentTo(Runtime.class)
                        && Set.of("exit", "halt", "exec").contains(name))
                || owner.isEquivalentTo(ProcessBuilder.class);
    }
}
