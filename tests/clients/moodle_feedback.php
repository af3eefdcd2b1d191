<?php
/* What Moodle's own upload of feedback files makes of the names in an archive, printed as JSON.

     php moodle_feedback.php MOODLE_FOLDER ARCHIVE.zip PARTICIPANT... >found.json

   Only the file of the importer is loaded, so that no installed Moodle is needed: what it asks of the assignment and of
   stored files is answered here. */

define('MOODLE_INTERNAL', true);
[$moodle, $archive, $participants] = [$argv[1], $argv[2], array_slice($argv, 3)];
require("$moodle/mod/assign/feedback/file/importziplib.php");

/* A file of the archive, as it lies in Moodle's store after unpacking. */
class unpacked {
    public function __construct(private string $path) {
    }
    public function is_directory(): bool {
        return str_ends_with($this->path, '/');
    }
    public function get_filename(): string {
        return basename($this->path);
    }
    public function get_filepath(): string {
        $folder = dirname($this->path);
        return '/import/' . ($folder === '.' ? '' : "$folder/");
    }
}

/* An assignment that has these two plugins. */
class assignment {
    public function get_plugin_by_type(string $subtype, string $type): ?string {
        $name = "{$subtype}_$type";
        return in_array($name, ['assignfeedback_file', 'assignsubmission_file']) ? $name : null;
    }
}

$zip = new ZipArchive();
$zip->open($archive) === true || exit("$archive cannot be opened\n");
$found = [];
for ($place = 0; $place < $zip->numFiles; $place++) {
    $path = $zip->getNameIndex($place);
    [$users, $plugin, $name] = [null, null, ''];
    $known = array_combine($participants, array_map(fn($each) => [$each], $participants));
    $taken = (new assignfeedback_file_zip_importer())->is_valid_filename_for_import(
        new assignment(), new unpacked($path), $known, $users, $plugin, $name);
    $found[$path] = $taken ? ['participant' => $users[0], 'plugin' => $plugin, 'file' => ltrim($name, '/')] : null;
}
echo json_encode($found, JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES), "\n";
