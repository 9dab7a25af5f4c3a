// Asks for what every page of the application begins with, while its scripts are on their way: src/api/early-answers.ts.
(function () {
  var headers = { accept: 'application/json' };
  try {
    // As src/api/tape-position.ts has stored it.
    var stored = JSON.parse(sessionStorage.getItem('tapedeck.position'));
    var age = Date.now() - stored.at;
    if (/^\d+$/.test(stored.position) && age >= 0 && age < 60000) headers['tape-position'] = stored.position;
  } catch {
    // Storage may be forbidden, or empty.
  }
  window.earlyAnswers = {};
  ['/api/auth/session', '/api/config'].forEach(function (url) {
    var answer = fetch(url, { headers: headers, credentials: 'include' });
    // A failure is reported by whoever takes the answer.
    answer.catch(function () {});
    window.earlyAnswers[url] = answer;
  });
})();
