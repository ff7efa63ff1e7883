;;; adze-mode.el --- Major mode for Adze, a language for array programs  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: languages
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Colours, indentation as `adze fmt' indents, an index of items (imenu), places of errors for M-x compile, commands of the
;; compiler, and its language server with eglot:
;;
;;   (add-to-list 'load-path "/path/to/adze/editors/emacs")
;;   (require 'adze-mode)
;;   (add-hook 'adze-mode-hook #'eglot-ensure)
;;
;; In Emacs 29 and later `adze-ts-mode' colours by the tree-sitter grammar, after
;; M-x treesit-install-language-grammar, or with the parser in `treesit-extra-load-path'.

;;; Code:

(require 'cl-lib)
(require 'compile)
(require 'subr-x)

(defgroup adze nil
  "Programs in Adze."
  :group 'languages)

(defcustom adze-program "adze"
  "The compiler."
  :type 'string)

(defcustom adze-indent-offset 4
  "Columns of a level of indentation."
  :type 'integer
  :safe #'integerp)

;;; Words, written by editors/words.py

(defconst adze--items
  '(
    ;; words: item
    "const" "entry" "enum" "extern" "fn" "import" "pattern" "struct" "test" "type"
    ;; end of words
    ))

(defconst adze--control
  '(
    ;; words: control
    "else" "for" "if" "in" "loop" "match" "while" "with"
    ;; end of words
    ;; words: jump
    "break" "continue" "return"
    ;; end of words
    ))

(defconst adze--others
  '(
    ;; words: other
    "as" "let" "mut" "unchecked" "where"
    ;; end of words
    ))

(defconst adze--constants
  '(
    ;; words: boolean
    "false" "true"
    ;; end of words
    ;; words: wildcard
    "_"
    ;; end of words
    ))

(defconst adze--scalars
  '(
    ;; words: scalar_type
    "bool" "f16" "f32" "f64" "i16" "i32" "i64" "i8" "idx" "nat" "u16" "u32" "u64" "u8"
    ;; end of words
    ))

(defconst adze--kinds
  '(
    ;; words: kind
    "data" "float" "int" "nat" "num" "scalar" "shape"
    ;; end of words
    ))

(defconst adze--builtins
  '(
    ;; words: pattern
    "all" "any" "as_scalar" "as_vector" "circular" "compress" "concat" "copy" "count" "drop"
    "expand" "extract" "fold" "gather" "generate" "insert" "iterate" "join" "lanes" "map"
    "mask_bits" "pad" "parallel" "permute" "prefetch" "range" "reduce" "repeat" "reverse" "rotate"
    "scan" "scan_ex" "scatter" "scatter_with" "select" "shuffle" "slide" "spawn" "split" "stride"
    "sync" "take" "to_mem" "transpose" "undefined" "unroll" "unzip" "vectorize" "zip"
    ;; end of words
    ;; words: function
    "abs" "abs_diff" "acos" "add_sat" "asin" "assert" "atan" "atan2" "avg_ceil" "ceil" "clz" "cos"
    "cosh" "ctz" "erf" "exp" "exp2" "floor" "fma" "from_bits" "likely" "load" "log" "log10" "log2"
    "max" "min" "mul_hi" "popcount" "pow" "print" "prod" "rank" "rotl" "rotr" "round" "shape" "sin"
    "sinh" "sqrt" "sub_sat" "tan" "tanh" "to_bits" "trunc" "unlikely"
    ;; end of words
    ))

;;; Syntax and colours

(defvar adze-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?_ "w" table)
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?' "." table)
    (modify-syntax-entry ?\\ "\\" table)
    (dolist (sign '(?+ ?- ?* ?% ?& ?| ?^ ?< ?> ?= ?! ?? ?$ ?@ ?#))
      (modify-syntax-entry sign "." table))
    table))

;; The quotes of a byte delimit a string, so that brackets in it do not count.
(defconst adze--syntax-propertize
  (syntax-propertize-rules
   ("\\('\\)\\(?:[^'\\\n]\\|\\\\u{[0-9A-Fa-f]+}\\|\\\\.\\)\\('\\)" (1 "\"") (2 "\""))))

(defconst adze--font-lock
  `(("#!?\\[\\(\\w+\\)\\]" (1 font-lock-preprocessor-face))
    ("\\_<\\(?:fn\\|pattern\\)\\s-+\\(?:@\\s-*\\(?:([^()\n]*)\\s-*\\)?\\)?\\([A-Za-z_]\\w*\\)" (1 font-lock-function-name-face))
    ("^\\s-*\\(?:\\(contract\\|reassociate\\)\\s-+\\)?\\(rule\\|strategy\\|schedule\\)\\s-+\\([A-Za-z_]\\w*\\)"
     (1 font-lock-keyword-face nil t) (2 font-lock-keyword-face) (3 font-lock-function-name-face))
    ("^\\s-*\\(bench\\)\\s-*\"" (1 font-lock-keyword-face))
    ("\\_<\\(?:struct\\|enum\\|type\\)\\s-+\\([A-Za-z_]\\w*\\)" (1 font-lock-type-face))
    ("\\_<const\\s-+\\([A-Za-z_]\\w*\\)" (1 font-lock-constant-face))
    ("\\_<let\\s-+\\(?:mut\\s-+\\)?\\([A-Za-z_]\\w*\\)" (1 font-lock-variable-name-face))
    ("\\_<import\\s-+\\([A-Za-z_][A-Za-z0-9_.]*\\)" (1 font-lock-constant-face))
    ("^\\s-*\\(pub\\)\\s-+import" (1 font-lock-keyword-face))
    ("\\_<\\(simd\\)\\s-*\\[" (1 font-lock-keyword-face))
    ("\\_<\\(allow\\)\\s-+\\(contract\\|reassociate\\)\\_>" (1 font-lock-keyword-face) (2 font-lock-keyword-face))
    ("\\_<\\(genarray\\|modarray\\)\\s-*[[(A-Za-z0-9_]" (1 font-lock-keyword-face))
    ("\\_<\\(step\\|width\\)\\s-+[[A-Za-z0-9_]" (1 font-lock-keyword-face))
    ("\\_<\\(scalar\\)\\s-*[{|]" (1 font-lock-keyword-face))
    ("\\_<\\(uniform\\|varying\\|strided\\)\\_>\\s-*\\(?:[^( ]\\|$\\)" (1 font-lock-keyword-face))
    ("\\(?:&\\s-*mut\\s-+\\|:\\s-*\\)\\(global\\|shared\\|private\\)\\_>" (1 font-lock-keyword-face))
    (,(concat ":\\s-*" (regexp-opt adze--kinds t) "\\s-*[],]") (1 font-lock-type-face))
    (,(regexp-opt adze--items 'symbols) . font-lock-keyword-face)
    (,(regexp-opt adze--control 'symbols) . font-lock-keyword-face)
    (,(regexp-opt adze--others 'symbols) . font-lock-keyword-face)
    (,(regexp-opt adze--constants 'symbols) . font-lock-constant-face)
    (,(regexp-opt adze--scalars 'symbols) . font-lock-type-face)
    (,(concat "\\(?:^\\|[^.A-Za-z0-9_]\\)" (regexp-opt adze--builtins t) "\\_>") (1 font-lock-builtin-face))
    ("\\_<[A-Z][A-Za-z0-9_]*[a-z][A-Za-z0-9_]*\\_>" . font-lock-type-face)))

(defun adze--syntactic-face (state)
  "The face of the string or comment of STATE."
  (cond ((nth 3 state) font-lock-string-face)
        ((save-excursion (goto-char (nth 8 state)) (looking-at "///\\(?:[^/]\\|$\\)")) font-lock-doc-face)
        (t font-lock-comment-face)))

;;; Indentation

(defun adze--line-before ()
  "The last line of code before this one, without its comment, or nil."
  (save-excursion
    (let (found)
      (while (and (not found) (zerop (forward-line -1)))
        (let ((start (line-beginning-position)) (end (line-end-position)))
          (let ((state (syntax-ppss end)))
            (when (nth 4 state) (setq end (max start (nth 8 state)))))
          (let ((text (string-trim-right (buffer-substring-no-properties start end))))
            (unless (string-empty-p text) (setq found text)))))
      found)))

(defun adze--continues-p ()
  "Whether the line at point continues the expression of the line before it."
  (let ((case-fold-search nil))
    (or (looking-at
         "|>\\|>>\\|&&\\|[=!]=\\|=>\\|<\\+\\|\\+\\+\\s-\\|||\\s-\\|[<>]=?\\s-\\|[-+*/%^&|]\\s-\\|as\\_>\\|where\\_>")
        (let ((before (adze--line-before)))
          (and before
               (or (string-match-p
                    "\\(?:[A-Za-z0-9_]\\|[])]\\)\\s-*\\(?:[-+*/%^=<>]\\|&&\\|||\\||>\\|>>\\|\\+\\+\\)\\'" before)
                   (string-match-p "\\`\\s-*with\\'" before)))))))

;; The conditions of a function are a level deeper than the function.
(defun adze--outer-column (opening)
  "The column of the construct whose bracket is at OPENING."
  (save-excursion
    (goto-char opening)
    (back-to-indentation)
    (- (current-column) (if (looking-at "where\\_>") adze-indent-offset 0))))

(defun adze--indentation ()
  "The column to which the line at point is indented."
  (save-excursion
    (back-to-indentation)
    (let* ((opening (save-excursion (nth 1 (syntax-ppss (line-beginning-position)))))
           (closes (looking-at "[])}]"))
           (continues (and (not closes) (adze--continues-p)))
           (outer (if opening (adze--outer-column opening) 0))
           (level (if (and opening (not closes)) (+ outer adze-indent-offset) outer)))
      (if continues (+ level adze-indent-offset) level))))

(defun adze-indent-line ()
  "Indent this line as `adze fmt' would."
  (interactive)
  (let ((column (adze--indentation)) (inside (> (current-column) (current-indentation))))
    (if inside (save-excursion (indent-line-to column)) (indent-line-to column))))

;;; The index, and movement

(defconst adze--imenu
  '(("Entries" "^entry\\s-+\\(?:simd\\s-*\\[[^]]*\\]\\s-*\\)?fn\\s-+\\(?:@\\s-*\\(?:([^()\n]*)\\s-*\\)?\\)?\\([A-Za-z_]\\w*\\)" 1)
    ("Functions" "^\\(?:extern\\s-+\\)?fn\\s-+\\(?:@\\s-*\\(?:([^()\n]*)\\s-*\\)?\\)?\\([A-Za-z_]\\w*\\)" 1)
    ("Patterns" "^pattern\\s-+\\([A-Za-z_]\\w*\\)" 1)
    ("Types" "^\\(?:struct\\|enum\\|type\\)\\s-+\\([A-Za-z_]\\w*\\)" 1)
    ("Constants" "^const\\s-+\\([A-Za-z_]\\w*\\)" 1)
    ("Schedules" "^\\(?:\\(?:contract\\|reassociate\\)\\s-+\\)?\\(?:rule\\|strategy\\|schedule\\)\\s-+\\([A-Za-z_]\\w*\\)" 1)
    ("Tests" "^test\\s-+\"\\(\\(?:[^\"\\\n]\\|\\\\.\\)*\\)\"" 1)))

(defconst adze--item-start "^[a-z]"
  "What begins an item: anything in the first column.")

(defun adze-beginning-of-defun (&optional count)
  "Move to the beginning of an item, COUNT times."
  (re-search-backward adze--item-start nil 'move (or count 1)))

(defun adze-end-of-defun ()
  "Move from the beginning of an item to its end."
  (forward-line 1)
  (if (re-search-forward "^\\(?:[])}]\\|[a-z]\\|///\\)" nil 'move)
      (progn (beginning-of-line) (when (looking-at "[])}]") (forward-line 1)))
    (goto-char (point-max))))

;;; The compiler

(add-to-list 'compilation-error-regexp-alist 'adze)
(add-to-list 'compilation-error-regexp-alist-alist
             '(adze "^\\([^ \t\n:]+\\):\\([0-9]+\\):\\([0-9]+\\): \\(?:error\\|\\(warning\\)\\|\\(note\\)\\)\\_>" 1 2 3 (4 . 5)))

(defun adze--item-at-point (kind)
  "The name of the item around point, by KIND, `entry' or `test'."
  (save-excursion
    (beginning-of-line)
    (let* ((row (assoc (if (eq kind 'entry) "Entries" "Tests") adze--imenu))
           (found (or (looking-at adze--item-start) (re-search-backward adze--item-start nil t))))
      (if (and found (looking-at (nth 1 row)))
          (match-string-no-properties 1)
        (user-error "There is no %s at point" kind)))))

(defun adze--compile (&rest words)
  "Run the compiler with WORDS on the saved file."
  (when (buffer-modified-p) (save-buffer))
  (compile (mapconcat #'shell-quote-argument (cons adze-program words) " ")))

(defun adze-test ()
  "Run the test at point."
  (interactive)
  (adze--compile "test" buffer-file-name (concat "--only=" (adze--item-at-point 'test))))

(defun adze-test-file ()
  "Run the tests of this file."
  (interactive)
  (adze--compile "test" buffer-file-name))

(defun adze-explain ()
  "Show how the compiler compiles the entry at point, and why."
  (interactive)
  (adze--compile "explain" buffer-file-name (adze--item-at-point 'entry)))

(defun adze-show-c ()
  "Show the C of the entry at point."
  (interactive)
  (let ((entry (adze--item-at-point 'entry)) (file buffer-file-name))
    (when (buffer-modified-p) (save-buffer))
    (with-current-buffer (get-buffer-create (format "*C of %s*" entry))
      (let ((inhibit-read-only t))
        (erase-buffer)
        (if (zerop (call-process adze-program nil t nil "explain" file entry "--stage=c")) (c-mode) (fundamental-mode))
        (goto-char (point-min)))
      (setq buffer-read-only t)
      (display-buffer (current-buffer)))))

(defun adze-format-buffer ()
  "Format the saved file with `adze fmt'."
  (interactive)
  (when (buffer-modified-p) (save-buffer))
  (if (zerop (call-process adze-program nil nil nil "fmt" buffer-file-name))
      (revert-buffer t t t)
    (adze--compile "check" buffer-file-name)))

(defvar adze-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-t") #'adze-test)
    (define-key map (kbd "C-c C-a") #'adze-test-file)
    (define-key map (kbd "C-c C-e") #'adze-explain)
    (define-key map (kbd "C-c C-s") #'adze-show-c)
    (define-key map (kbd "C-c C-f") #'adze-format-buffer)
    map))

;;; Modes

(defun adze--settings ()
  "What both modes have."
  (setq-local comment-start "// ")
  (setq-local comment-start-skip "///*\\s-*")
  (setq-local comment-end "")
  (setq-local indent-tabs-mode nil)
  (setq-local tab-width adze-indent-offset)
  (setq-local indent-line-function #'adze-indent-line)
  (setq-local electric-indent-chars (append "{}()[]" electric-indent-chars))
  (setq-local syntax-propertize-function adze--syntax-propertize)
  (setq-local imenu-generic-expression adze--imenu)
  (setq-local imenu-case-fold-search nil)
  (setq-local beginning-of-defun-function #'adze-beginning-of-defun)
  (setq-local end-of-defun-function #'adze-end-of-defun)
  (setq-local compile-command
              (if buffer-file-name
                  (format "%s test %s" adze-program (shell-quote-argument (file-name-nondirectory buffer-file-name)))
                compile-command)))

;;;###autoload
(define-derived-mode adze-mode prog-mode "Adze"
  "Major mode for Adze programs."
  :group 'adze
  (adze--settings)
  (setq-local font-lock-defaults
              '(adze--font-lock nil nil nil (font-lock-syntactic-face-function . adze--syntactic-face))))

;; Emacs 29 and later.
(declare-function treesit-ready-p "treesit")
(declare-function treesit-parser-create "treesit")
(declare-function treesit-font-lock-rules "treesit")
(declare-function treesit-major-mode-setup "treesit")
(defvar treesit-font-lock-settings)
(defvar treesit-font-lock-feature-list)
(defvar treesit-language-source-alist)

(defconst adze--source (file-name-directory (or load-file-name buffer-file-name))
  "The folder of this file.")

(with-eval-after-load 'treesit
  (add-to-list 'treesit-language-source-alist
               (list 'adze (expand-file-name "../tree-sitter-adze" adze--source))))

(defun adze--treesit-rules ()
  "The rules for colours of `adze-ts-mode'."
  (treesit-font-lock-rules
   :language 'adze :feature 'comment
   '((doc_comment) @font-lock-doc-face (comment) @font-lock-comment-face)
   :language 'adze :feature 'string
   '((string) @font-lock-string-face (byte) @font-lock-string-face)
   :language 'adze :feature 'escape :override t
   '((escape_sequence) @font-lock-escape-face)
   :language 'adze :feature 'keyword
   `([,@adze--items ,@(remove "_" adze--others) ,@(cl-set-difference adze--control '("break" "continue" "return") :test #'equal)
      "pub" "simd" "bench" "rule" "contract" "reassociate" "strategy" "schedule" "allow" "scalar" "strided" "uniform" "varying"
      "global" "shared" "private"]
     @font-lock-keyword-face
     (jump) @font-lock-keyword-face
     (step word: (identifier) @font-lock-keyword-face)
     (with_operator name: (identifier) @font-lock-keyword-face)
     (attribute) @font-lock-preprocessor-face
     (file_attribute) @font-lock-preprocessor-face)
   :language 'adze :feature 'definition
   '((function_item name: (identifier) @font-lock-function-name-face)
     (extern_item name: (identifier) @font-lock-function-name-face)
     (pattern_item name: (identifier) @font-lock-function-name-face)
     (rule_item name: (identifier) @font-lock-function-name-face)
     (strategy_item name: (identifier) @font-lock-function-name-face)
     (schedule_item name: (identifier) @font-lock-function-name-face)
     (struct_item name: (identifier) @font-lock-type-face)
     (enum_item name: (identifier) @font-lock-type-face)
     (type_item name: (identifier) @font-lock-type-face)
     (parameter name: (identifier) @font-lock-variable-name-face)
     (let_statement (name_binding name: (identifier) @font-lock-variable-name-face))
     (const_item name: (identifier) @font-lock-constant-face))
   :language 'adze :feature 'type
   '((named_type name: (identifier) @font-lock-type-face)
     (kind) @font-lock-type-face
     (struct_expression name: (identifier) @font-lock-type-face)
     (option_case enum: (identifier) @font-lock-type-face))
   :language 'adze :feature 'constant
   '((boolean) @font-lock-constant-face (wildcard) @font-lock-constant-face (module_path) @font-lock-constant-face)
   :language 'adze :feature 'number
   '((integer) @font-lock-number-face (float) @font-lock-number-face)
   :language 'adze :feature 'builtin
   `(((identifier) @font-lock-builtin-face
      (:match ,(concat "\\`" (regexp-opt adze--builtins) "\\'") @font-lock-builtin-face)))
   :language 'adze :feature 'function
   '((call_expression function: (identifier) @font-lock-function-call-face)
     (pipe_expression right: (identifier) @font-lock-function-call-face))
   :language 'adze :feature 'property
   '((field_identifier) @font-lock-property-use-face
     (field name: (identifier) @font-lock-property-name-face))))

(define-derived-mode adze-ts-mode prog-mode "Adze"
  "Major mode for Adze programs, with the tree-sitter grammar."
  :group 'adze
  :syntax-table adze-mode-syntax-table
  (unless (and (require 'treesit nil t) (treesit-ready-p 'adze))
    (user-error "The tree-sitter grammar of Adze is not installed"))
  (use-local-map adze-mode-map)
  (adze--settings)
  (treesit-parser-create 'adze)
  (setq-local treesit-font-lock-settings (adze--treesit-rules))
  (setq-local treesit-font-lock-feature-list
              '((comment definition) (keyword string type) (constant number escape builtin) (function property)))
  (treesit-major-mode-setup))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.adz\\'" . adze-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               `((adze-mode adze-ts-mode) . ,(lambda (&rest _) (list adze-program "lsp")))))

(provide 'adze-mode)

;;; adze-mode.el ends here
