package dev.fairlead.zfs;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import dev.fairlead.testkit.rules.LibraryRules;
import dev.fairlead.testkit.rules.UsesLibraries;

@AnalyzeClasses(packages = "dev.fairlead.zfs")
@UsesLibraries("com.google.gson.")
class ArchitectureTest {
    @ArchTest
    static final ArchTests library = ArchTests.in(LibraryRules.class);
}
