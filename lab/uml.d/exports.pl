# Lists what a stripped kernel exports to modules, from its own tables, as a Module.symvers has it: exports.pl KERNEL
use strict;
use warnings;
my ($file) = @ARGV;
my (%at, %size, %addr);
for (`readelf -SW $file`) {
  /\s(__ksymtab\w*)\s+PROGBITS\s+(\w+)\s+(\w+)\s+(\w+)/ or next;
  ($addr{$1}, $at{$1}, $size{$1}) = map { hex } $2, $3, $4;
}
open my $in, "<:raw", $file or die;
sub bytes { seek $in, $_[0], 0; read $in, my $b, $_[1]; $b }
my $names = bytes($at{__ksymtab_strings}, $size{__ksymtab_strings});
for my $table (grep { $_ ne "__ksymtab_strings" } sort keys %at) {
  my @words = unpack "Q*", bytes($at{$table}, $size{$table});
  while (my (undef, $name, undef) = splice @words, 0, 3) {
    my ($s) = substr($names, $name - $addr{__ksymtab_strings}) =~ /^([^\0]*)/;
    print "0x00000000\t$s\tvmlinux\t", $table eq "__ksymtab_gpl" ? "EXPORT_SYMBOL_GPL" : "EXPORT_SYMBOL", "\t\n";
  }
}
