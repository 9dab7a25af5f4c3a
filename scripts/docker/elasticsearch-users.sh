#!/bin/bash
# Creates the users of the product: each may use its indexes only, and the API may only read them.
set -euo pipefail

# No password appears on a command line: curl reads them from its standard input.
put() {
  local path=$1 body=$2
  curl --fail --silent --show-error --output /dev/null --request PUT --header 'content-type: application/json' \
    --config - "http://elasticsearch:9200/_security/$path" <<END
user = "elastic:$ELASTIC_PASSWORD"
data = "${body//\"/\\\"}"
END
}

indexes='["tapedeck-explorer*"]'
put role/tapedeck_api "{\"indices\":[{\"names\":$indexes,\"privileges\":[\"read\",\"view_index_metadata\",\"monitor\"]}]}"
put role/tapedeck_projector "{\"indices\":[{\"names\":$indexes,\"privileges\":[\"manage\",\"read\",\"write\"]}]}"
put user/tapedeck_api "{\"password\":\"$API_ELASTICSEARCH_PASSWORD\",\"roles\":[\"tapedeck_api\"]}"
put user/tapedeck_projector "{\"password\":\"$PROJECTOR_ELASTICSEARCH_PASSWORD\",\"roles\":[\"tapedeck_projector\"]}"
echo 'The users of the product are ready.'
