<?php
// Times wikidiff2 on all pairs of a file, as timeEngine.ts does with engines in JavaScript: php wikidiff2.php FILE
function cpuMicros(): int
{
    $usage = getrusage();
    $seconds = $usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec'];
    return $seconds * 1_000_000 + $usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec'];
}

$pairs = json_decode(file_get_contents($argv[1]));
while (($line = fgets(STDIN)) !== false) {
    $calls = (int) $line;
    $cpuBefore = cpuMicros();
    $pairMicros = [];
    foreach ($pairs as [$from, $to]) {
        $micros = [];
        for ($call = 0; $call < $calls; $call++) {
            $start = hrtime(true);
            wikidiff2_inline_json_diff($from, $to, 2);
            $micros[] = (hrtime(true) - $start) / 1000;
        }
        sort($micros);
        $pairMicros[] = ($micros[intdiv($calls - 1, 2)] + $micros[intdiv($calls, 2)]) / 2;
    }
    $cpuMicros = (cpuMicros() - $cpuBefore) / $calls;
    echo json_encode(['pairMicros' => $pairMicros, 'cpuMicros' => $cpuMicros]), "\n";
}
